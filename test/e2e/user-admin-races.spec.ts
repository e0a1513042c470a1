import { createUser } from '../support/accounts/admin-users';
import { systemRole } from '../support/accounts/holders';
import { Answer, TestClient } from '../support/service/test-client';
import { raceRounds } from '../support/service/race-rounds';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const ROUNDS = raceRounds(100);

interface Administrator {
  readonly id: string;
  readonly client: TestClient;
}

/** Requests by which one administrator removes another. */
const WAYS: readonly [string, (client: TestClient, id: string) => Promise<Answer>][] = [
  ['delete', (client, id) => client.delete(`/api/user/${id}`)],
  ['disable', (client, id) => client.patch(`/api/user/${id}`, { status: 'disabled' })],
];

describe('last administrator', () => {
  let service: TestService;
  let roleId: string;
  let names = 0;

  withService((started) => {
    service = started;
  });

  async function appoint(by: TestClient): Promise<Administrator> {
    const username = `administrator_${names++}`;
    const { id } = await createUser(by, username, {
      password: PASSWORD,
      must_change_password: false,
      role_ids: [roleId],
    });
    return { id, client: await service.logIn(username) };
  }

  const ableAdministrators = (): Promise<{ id: string }[]> =>
    service.query(
      `SELECT user_id AS id FROM user_role JOIN user_account ON user_account.id = user_role.user_id
       WHERE role_id = $1 AND status = 'active' AND password_hash IS NOT NULL`,
      [roleId],
    );

  it.each(WAYS)(
    `remains when two %s each other concurrently, in each of ${ROUNDS} rounds`,
    async (_, remove) => {
      const first = await service.admin();
      roleId = (await systemRole(first, 'admin')).id;
      let [one, two] = [await appoint(first), await appoint(first)];
      const { body } = await first.get<{ id: string }>('/api/auth/me');
      await one.client.patch(`/api/user/${body.id}`, { status: 'disabled' });

      for (let round = 0; round < ROUNDS; round++) {
        const answers = await Promise.all([remove(one.client, two.id), remove(two.client, one.id)]);
        const left = await ableAdministrators();
        expect({ round, left: left.length, statuses: answers.map(({ status }) => status) }).toMatchObject({
          round,
          left: 1,
        });
        one = left[0]!.id === one.id ? one : two;
        expect((await one.client.get('/api/user?page_size=1')).status).toBe(200);
        two = await appoint(one.client);
      }
      await one.client.patch(`/api/user/${body.id}`, { status: 'active' });
      const again = await service.admin();
      for (const { id } of [one, two]) await again.delete(`/api/user/${id}`);
    },
    120_000,
  );
});
