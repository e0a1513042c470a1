import { OutboundError } from './outbound-error';

const MAX_CALLS = 50;
/** Of one host, so that a provider that hangs takes no room from the others. */
const MAX_CALLS_OF_A_HOST = 20;

/** Lets so many calls through at once and refuses the rest: whoever waits for a provider that hangs only hangs, too. */
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
