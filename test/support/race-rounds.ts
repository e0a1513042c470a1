/**
 * Number of rounds of a race test: all with a server. With the embedded database a tenth, because it runs one statement
 * at a time and shows few races.
 */
export const raceRounds = (rounds: number): number =>
  process.env['TEST_DATABASE_URL'] === undefined ? Math.ceil(rounds / 10) : rounds;
