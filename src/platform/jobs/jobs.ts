import { setMaxListeners } from 'node:events';
import type { DatabaseWatch } from '../database';
import { Log } from '../logging';

export interface Job {
  readonly name: string;
  /** @param stopping aborted when the service stops: work that could wait long comes to an end of its own. */
  run(stopping: AbortSignal): Promise<void>;
}

/**
 * Housekeeping that repeats while the service runs. A job that fails is a warning and comes round again; one that still
 * runs is not started twice; every instance runs them, so they must bear company.
 */
export class Jobs {
  private readonly planned: { job: Job; seconds: number }[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<Job, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly log: Log,
    private readonly database: Pick<DatabaseWatch, 'takes'>,
  ) {
    // As many may listen as work is under way: Node takes more than ten for a leak.
    setMaxListeners(Infinity, this.stopping.signal);
  }

  /** To be called while modules are built; the first run comes after the first interval. */
  every(seconds: number, job: Job): void {
    this.planned.push({ job, seconds });
  }

  /** Runs it now, once, beside whoever asks: outside a transaction. A failure is a warning; `stop` waits for it. */
  soon(job: Job): void {
    this.begin(job);
  }

  start(): void {
    for (const { job, seconds } of this.planned) {
      this.timers.push(
        setInterval(() => {
          this.begin(job);
        }, seconds * 1_000).unref(),
      );
    }
  }

  /** Begins no further round, and waits for what runs and for what that still asks for. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private begin(job: Job): void {
    if (this.running.has(job)) return;
    // What throws at once is over before it is noted, and struck off after.
    const end = (): void => void this.running.delete(job);
    this.running.set(job, this.attempt(job).then(end));
  }

  private async attempt(job: Job): Promise<void> {
    try {
      await job.run(this.stopping.signal);
    } catch (error) {
      // A database that is away is one state, told once.
      this.log[this.database.takes(error) ? 'debug' : 'warn'](`The job "${job.name}" failed`, { err: error });
    }
  }
}
