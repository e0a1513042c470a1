/** The work exceeded its deadline; it may still take effect. */
export class DeadlineExceeded extends Error {
  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/**
 * Returns the result of `work`, or rejects after the deadline.
 * @param late creates the error; default: `DeadlineExceeded`.
 */
export function withDeadline<T>(
  milliseconds: number,
  work: Promise<T>,
  late: () => Error = () => new DeadlineExceeded(milliseconds),
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const giveUp = (): void => {
      reject(late());
    };
    // If this process was busy, a result that has already arrived still counts.
    const timer = setTimeout(() => setImmediate(giveUp), milliseconds);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
