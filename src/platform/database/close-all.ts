/** Takes every step, whatever one of them throws; the first error is thrown at the end. */
export async function closeAll([next, ...rest]: readonly (() => Promise<void>)[]): Promise<void> {
  if (!next) return;
  try {
    await next();
  } catch (error) {
    // What fails after it may fail because of it.
    await closeAll(rest).catch(() => undefined);
    throw error;
  }
  await closeAll(rest);
}
