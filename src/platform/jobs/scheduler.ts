import { setMaxListeners } from 'node:events';
import type { DatabaseHealthMonitor } from '../database';
import { Log } from '../logging';

export interface Job {
  readonly name: string;
  /** Whether the job also runs at the start of the service. */
  readonly runsAtStart?: boolean;
  /** @param stopping aborted when the service stops: long waits must end then. */
  run(stopping: AbortSignal): Promise<void>;
}

/**
 * Runs periodic jobs. A failing job is logged as a warning and runs again; a job that is still running is not started
 * twice. Every instance runs every job, so jobs must tolerate parallel runs.
 */
export class Scheduler {
  private readonly planned: { job: Job; seconds: number }[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly running = new Map<Job, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly log: Log,
    private readonly database: Pick<DatabaseHealthMonitor, 'takes'>,
  ) {
    // Every running job may listen: Node warns of a leak above ten.
    setMaxListeners(Infinity, this.stopping.signal);
  }

  /** Call while modules are constructed; the first run comes after one interval, or at the start. */
  every(seconds: number, job: Job): void {
    this.planned.push({ job, seconds });
  }

  /** Runs the job now, once, outside the caller's transaction. Failures are logged as warnings; `stop` waits for it. */
  runInBackground(job: Job): void {
    this.begin(job);
  }

  start(): void {
    for (const { job, seconds } of this.planned) {
      if (job.runsAtStart) this.begin(job);
      this.timers.push(
        setInterval(() => {
          this.begin(job);
        }, seconds * 1_000).unref(),
      );
    }
  }

  /** Starts no further run and waits for the running jobs. */
  async stop(): Promise<void> {
    this.stopping.abort();
    for (const timer of this.timers.splice(0)) clearInterval(timer);
    await this.idle();
  }

  /** Waits for the running jobs, including those they start. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running.values());
  }

  private begin(job: Job): void {
    if (this.running.has(job)) return;
    // Deleted in a callback: a job that throws synchronously ends before it is added.
    const end = (): void => void this.running.delete(job);
    this.running.set(job, this.attempt(job).then(end));
  }

  private async attempt(job: Job): Promise<void> {
    try {
      await job.run(this.stopping.signal);
    } catch (error) {
      // The health monitor reports an unreachable database once.
      this.log[this.database.takes(error) ? 'debug' : 'warn'](`The job "${job.name}" failed`, { err: error });
    }
  }
}
