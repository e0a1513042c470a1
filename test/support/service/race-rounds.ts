/** A race that a change opens shows in the first rounds. `TEST_RACE_ROUNDS=200` runs all of them. */
const MAX_ROUNDS = Number(process.env['TEST_RACE_ROUNDS'] ?? 25);

/**
 * Number of rounds of a race test: up to the limit with a server. With the embedded database a tenth, because it runs one
 * statement at a time and shows few races.
 */
export const raceRounds = (rounds: number): number =>
  process.env['TEST_DATABASE_URL'] === undefined ? Math.ceil(rounds / 10) : Math.min(rounds, MAX_ROUNDS);
