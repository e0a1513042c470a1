/** Pauses between the attempts, in seconds: about seventeen hours together, with the jitter. */
const PAUSES = [5, 60, 300, 1_800, 7_200, 18_000, 39_600];
/** The part of a pause that is random, so that deliveries that failed together do not all come back together. */
const JITTER = 0.2;

/**
 * Seconds until the next attempt; undefined after the last one.
 * @param attempts that have failed.
 * @param random from 0 to 1.
 */
export function retryDelay(attempts: number, random: number): number | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : pause * (1 - JITTER * random);
}
