/** One question for all who ask it at the same time; its answer, or failure, is believed for a while. */
export class SingleFlight {
  private answer: Promise<void> | undefined;
  /** By a monotonic clock in milliseconds. */
  private believedUntil = Infinity;

  constructor(
    private readonly put: () => Promise<void>,
    private readonly believedMs = 0,
  ) {}

  ask(): Promise<void> {
    if (!this.answer || performance.now() >= this.believedUntil) this.answer = this.begin();
    return this.answer;
  }

  private begin(): Promise<void> {
    this.believedUntil = Infinity;
    const answer = this.put();
    const believe = (): void => {
      this.believedUntil = performance.now() + this.believedMs;
    };
    answer.then(believe, believe);
    return answer;
  }
}
