import { OutboundError } from './outbound-error';

const MAX_CALLS = 70;
/** Per host, so that a hanging provider leaves room for the others. */
const MAX_CALLS_OF_A_HOST = 20;

/** Limits parallel calls and rejects the rest: queueing behind a hanging provider would only block more callers. */
export class ConnectionGate {
  private readonly running = new Map<string, number>();
  private total = 0;

  /** Errors: `OutboundError` `busy`. */
  async pass<T>(host: string, work: () => Promise<T>): Promise<T> {
    const ofHost = this.running.get(host) ?? 0;
    if (this.total >= MAX_CALLS || ofHost >= MAX_CALLS_OF_A_HOST) throw new OutboundError('busy');
    this.total++;
    this.running.set(host, ofHost + 1);
    try {
      return await work();
    } finally {
      this.leave(host);
    }
  }

  private leave(host: string): void {
    this.total--;
    const left = (this.running.get(host) ?? 1) - 1;
    if (left === 0) this.running.delete(host);
    else this.running.set(host, left);
  }
}
