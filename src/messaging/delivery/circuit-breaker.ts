import { CIRCUIT_OPEN, SendResult, UNREACHABLE } from './send-result';

const FAILURES = 5;
const REST_MS = 30_000;

/** The provider itself failed. A rejected message is a normal response. */
const isFault = ({ outcome, providerCode }: SendResult): boolean =>
  outcome === 'unknown' || providerCode === UNREACHABLE;

/**
 * Stops calling a provider after five consecutive failures. After 30 seconds one message at a time probes it, until a
 * definite response closes the circuit.
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
