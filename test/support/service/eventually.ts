/** Repeats `ask` until `satisfies` accepts the result. Throws with the last result after `seconds`. */
export async function eventually<T>(ask: () => Promise<T>, satisfies: (answer: T) => boolean, seconds = 5): Promise<T> {
  const deadline = performance.now() + seconds * 1_000;
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Not within ${seconds} s; last: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
