import * as fc from 'fast-check';
import { Operation, operations } from './api';
import type { Change } from './changes';
import { PATH, REQUESTS, SEED } from './how-much';
import { faultOf } from './judge';
import { requestTo } from './requests';
import type { Words } from './values';
import { World } from './world';

/** Settings in force would end the run for everybody after; their rules are judged in a trial all the same. */
const FORCED: Readonly<Record<string, Words>> = { 'PUT /api/setting': { dry_run: ['true'] } };

/** What a refusal is to count, and what the service writes by itself meanwhile; the audit is not watched. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  verification_target: ['INSERT', 'wrong', 'wrong_since', 'touched_at'],
  verification_code: ['attempts'],
  session: ['last_seen_at'],
  // Its hourly count of who was there.
  activity_hour: ['INSERT'],
  // The protocol's own note of who is logged in, which follows each look at it.
  oauth_artifact: ['INSERT', 'payload', 'expires_at'],
};

const isExpected = ({ table, act, columns }: Change): boolean =>
  (act === 'UPDATE' ? (columns ?? []) : [act]).every((what) => EXPECTED[table]?.includes(what));

describe(`requests of every kind (FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS})`, () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start();
  });

  afterAll(() => world.service.stop());

  async function tryOnce(operation: Operation, request: Parameters<World['send']>[1]): Promise<void> {
    const answer = await world.send(operation, request);
    const changes = (await world.changes.taken()).filter((change) => !isExpected(change));
    const fault =
      faultOf(operation, answer) ??
      (answer.statusCode >= 400 && changes.length > 0 ? `changes: ${JSON.stringify(changes)}` : undefined);
    if (fault !== undefined) throw new Error(`${fault}: ${answer.statusCode} ${answer.payload.slice(0, 600)}`);
  }

  it.each(operations.map((operation) => [operation.route, operation] as const))(
    '%s answers each as documented, and a refused one changes nothing',
    async (route, operation) => {
      await world.logIn();
      const requests = requestTo(operation, world.wordsFor(operation), FORCED[route] ?? {});
      await fc.assert(
        fc.asyncProperty(requests, (request) => tryOnce(operation, request)),
        { numRuns: REQUESTS, seed: SEED, ...(PATH !== undefined && { path: PATH }) },
      );
    },
    Math.max(60_000, REQUESTS * 200),
  );
});
