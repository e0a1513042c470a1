/**
 * How often a race is run: on a server `rounds` times. The embedded database serves one at a time, so that most of a race
 * is a queue there, and a tenth is run.
 */
export const raceRounds = (rounds: number): number =>
  process.env['TEST_DATABASE_URL'] === undefined ? Math.ceil(rounds / 10) : rounds;
