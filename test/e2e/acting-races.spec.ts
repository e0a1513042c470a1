import { actAsEnabled } from '../../src/session';
import { ACT_AS, actAs, someoneActing, stopActing, whoIs } from '../support/accounts/acting';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import { raceRounds } from '../support/service/race-rounds';
import { Answer, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ROUNDS = raceRounds(10);

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  await service.set(actAsEnabled, true);
});

const liveFor = (userId: string): Promise<unknown[]> =>
  service.query(
    'SELECT id FROM session WHERE user_id = $1 AND actor_id IS NOT NULL AND revoked_at IS NULL AND expires_at > now()',
    [userId],
  );

/** What takes away the right to act, or the login of the actor. */
const WAYS: readonly [string, (actor: UserWithGrants, user: UserWithGrants, cookie: string) => Promise<Answer>][] = [
  ['logs out', ({ client }, _, cookie) => client.send('POST', '/api/auth/logout', { cookie })],
  ['is disabled', ({ id }) => admin.patch(`/api/user/${id}`, { status: 'disabled' })],
  ['loses the permission', ({ id }) => admin.patch(`/api/user/${id}/permissions`, { remove: [ACT_AS] })],
  [
    'is surpassed by the user',
    (_, { id }) => admin.patch(`/api/user/${id}/permissions`, { add: [{ permission_id: 'role:read' }] }),
  ],
];

describe('acting as a user', () => {
  it.each(WAYS)(
    'is over for an actor who %s at the same time, in each round',
    async (_, end) => {
      for (let round = 0; round < ROUNDS; round++) {
        const [actor, user] = [await anyUserWith(service, admin, ACT_AS), await anyUserWith(service, admin)];
        const { cookie } = actor.client;
        const [begun, ended] = await Promise.all([actAs(actor.client, user), end(actor, user, cookie)]);
        expect(ended.status).toBeLessThan(300);
        expect([201, 401, 403]).toContain(begun.status);
        if (begun.status === 201) expect((await actor.client.get('/api/auth/me')).status).toBe(401);
        expect(await liveFor(user.id)).toEqual([]);
      }
    },
    120_000,
  );

  it('happens once for parallel requests of one session', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [actor, user] = [await anyUserWith(service, admin, ACT_AS), await anyUserWith(service, admin)];
      const begun = await Promise.all(Array.from({ length: 4 }, () => actAs(actor.client, user)));
      expect(begun.map(({ status }) => status)).toContain(201);
      expect(await liveFor(user.id)).toHaveLength(1);
    }
  }, 120_000);

  it('ends once for parallel requests, and each of them leads back', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { actor, user } = await someoneActing(service, admin);
      const ended = await Promise.all(Array.from({ length: 4 }, () => stopActing(actor.client)));
      expect(ended.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(await whoIs(actor.client)).toEqual({ user: actor.username, actor: undefined });
      const events = await service.query(`SELECT 1 FROM audit_event WHERE action = 'acting.end' AND target_id = $1`, [
        user.id,
      ]);
      expect(events).toHaveLength(1);
    }
  }, 120_000);
});
