import { CIRCUIT_OPEN, SendResult, UNREACHABLE } from './send-result';

const FAILURES = 5;
const REST_MS = 30_000;

/** The provider itself failed; a refusal is an answer like any other. */
const isFault = ({ outcome, providerCode }: SendResult): boolean =>
  outcome === 'unknown' || providerCode === UNREACHABLE;

/**
 * Spares a provider that failed five times running, and those who wait for it: for half a minute it is not asked, then
 * by one message alone, until that one is answered.
 */
export class CircuitBreaker {
  private failures = 0;
  private restsUntil = -Infinity;
  private isProbing = false;

  constructor(
    private readonly provider: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param ask never throws. */
  async run(ask: () => Promise<SendResult>): Promise<SendResult> {
    const isSuspect = this.failures >= FAILURES;
    if (isSuspect && (this.isProbing || this.now() < this.restsUntil)) {
      return { outcome: 'rejected', provider: this.provider, providerCode: CIRCUIT_OPEN };
    }
    if (isSuspect) this.isProbing = true;
    try {
      const result = await ask();
      this.learn(isFault(result));
      return result;
    } finally {
      if (isSuspect) this.isProbing = false;
    }
  }

  private learn(failed: boolean): void {
    this.failures = failed ? this.failures + 1 : 0;
    if (failed) this.restsUntil = this.now() + REST_MS;
  }
}
