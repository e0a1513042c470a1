import { performance } from 'node:perf_hooks';
import { eventually } from './eventually';
import { Answer, Problem } from './test-client';

const EVERY_MS = 50;

type Ask = () => Promise<Answer<Problem>>;

export interface LoadResult {
  readonly answer: Answer<Problem>;
  /** Milliseconds of `performance.now()`. */
  readonly sent: number;
  /** Milliseconds. */
  readonly took: number;
}

/** Sends twenty requests per second at fixed times, however long earlier ones take. */
export class Load {
  readonly results: LoadResult[] = [];
  private readonly timer: NodeJS.Timeout;
  private readonly running = new Set<Promise<void>>();
  private count = 0;

  /** @param asks are called in turn */
  constructor(asks: readonly Ask[]) {
    this.timer = setInterval(() => {
      const request = this.send(asks[this.count++ % asks.length]!).finally(() => this.running.delete(request));
      this.running.add(request);
    }, EVERY_MS);
  }

  /** Waits for `count` responses that `isCounted` accepts. */
  async reaches(count: number, isCounted: (answer: Answer<Problem>) => boolean): Promise<void> {
    await eventually(
      async () => this.results.filter(({ answer }) => isCounted(answer)).length,
      (counted) => counted >= count,
      30,
    );
  }

  /** @param moment in milliseconds of `performance.now()` */
  async lastsUntil(moment: number): Promise<void> {
    await eventually(
      async () => performance.now(),
      (now) => now >= moment,
      (moment - performance.now()) / 1_000 + 1,
    );
  }

  /** Stops sending and waits for pending requests. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await Promise.all(this.running);
  }

  private async send(ask: Ask): Promise<void> {
    const sent = performance.now();
    const answer = await ask();
    this.results.push({ answer, sent, took: performance.now() - sent });
  }
}
