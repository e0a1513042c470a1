/** Shares one call among concurrent callers. The result, or error, is cached for `ttlMs`. */
export class SingleFlight {
  private result: Promise<void> | undefined;
  /** By the monotonic clock, in milliseconds. */
  private expiresAt = Infinity;

  constructor(
    private readonly call: () => Promise<void>,
    private readonly ttlMs = 0,
  ) {}

  ask(): Promise<void> {
    if (!this.result || performance.now() >= this.expiresAt) this.result = this.begin();
    return this.result;
  }

  private begin(): Promise<void> {
    this.expiresAt = Infinity;
    const result = this.call();
    const cache = (): void => {
      this.expiresAt = performance.now() + this.ttlMs;
    };
    result.then(cache, cache);
    return result;
  }
}
