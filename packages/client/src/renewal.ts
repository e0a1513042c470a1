import type { Turn } from './turn';

/** What the service answered where it gave no new tokens; undefined: they are there, the call may be tried again. */
export type Refusal = Response | undefined;

/** When an attempt at a call began, to be compared with when tokens were last renewed. */
export interface Attempt {
  readonly at: number;
  readonly renewals: number;
}

/** Renews the tokens of one client: however many calls ask at once, they share one answer. */
export class Renewal {
  private pending: Promise<Refusal> | undefined;
  private renewals = 0;

  constructor(
    private readonly refresh: () => Promise<Refusal>,
    private readonly turn: Turn,
  ) {}

  begin(): Attempt {
    return { at: Date.now(), renewals: this.renewals };
  }

  /** For a call whose access token had ended; asks nobody where tokens came since it began. */
  async renewFor({ at, renewals }: Attempt): Promise<Refusal> {
    if (this.renewals > renewals) return undefined;
    this.pending ??= this.take(at).finally(() => {
      this.pending = undefined;
    });
    return (await this.pending)?.clone();
  }

  private async take(at: number): Promise<Refusal> {
    const refusal = await this.turn(at, this.refresh);
    if (!refusal) this.renewals += 1;
    return refusal;
  }
}
