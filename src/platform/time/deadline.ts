/** The work was given up; it may still take effect. */
export class DeadlineExceeded extends Error {
  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/**
 * What `work` comes to, unless it takes too long.
 * @param late says so, where the caller knows better words; else `DeadlineExceeded` does.
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
    // Where this process itself was late, an answer that has arrived meanwhile is read before the time is called.
    const timer = setTimeout(() => setImmediate(giveUp), milliseconds);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
