/** Takes every step, whatever one of them throws; the first error is thrown at the end. */
export async function closeEach([next, ...rest]: readonly (() => Promise<void>)[]): Promise<void> {
  if (!next) return;
  try {
    await next();
  } catch (error) {
    // What fails after it may fail because of it.
    await closeEach(rest).catch(() => undefined);
    throw error;
  }
  await closeEach(rest);
}
