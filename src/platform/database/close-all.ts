/** Runs every step, even after a failure, and throws the first error at the end. */
export async function closeAll([next, ...rest]: readonly (() => Promise<void>)[]): Promise<void> {
  if (!next) return;
  try {
    await next();
  } catch (error) {
    // Later errors may follow from the first one.
    await closeAll(rest).catch(() => undefined);
    throw error;
  }
  await closeAll(rest);
}
