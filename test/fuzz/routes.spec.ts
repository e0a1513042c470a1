import * as fc from 'fast-check';
import { Operation, operations } from './api';
import type { Change } from './changes';
import { PATH, REQUESTS, SEED } from './how-much';
import { faultOf } from './judge';
import { requestTo } from './requests';
import type { Words } from './values';
import { World } from './world';

/** A stored setting would affect all later requests. A dry run tests the same rules. */
const FORCED: Readonly<Record<string, Words>> = { 'PUT /api/setting': { dry_run: ['true'] } };

/** Tables that a rejected request may change, and that the service changes by itself. The audit is not watched. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  verification_target: ['INSERT', 'wrong', 'wrong_since', 'touched_at'],
  verification_code: ['attempts'],
  session: ['last_seen_at'],
  // The hourly counts of activity and accounts.
  activity_hour: ['INSERT'],
  account_count: ['INSERT', 'counted_at', 'users', 'second_factor_users', 'new_users', 'active_users'],
  // The provider's login state, written whenever it is read.
  oauth_artifact: ['INSERT', 'payload', 'expires_at'],
};

/** A response without end: a stream of server-sent events. */
const isEndless = ({ route }: Operation): boolean =>
  route === 'GET /api/event/stream' || route === 'GET /api/auth/me/stream';

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

  it.each(
    operations.filter((operation) => !isEndless(operation)).map((operation) => [operation.route, operation] as const),
  )(
    'to %s get documented responses, and a rejected one changes nothing',
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
