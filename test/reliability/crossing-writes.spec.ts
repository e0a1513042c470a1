import { appName, appPrimaryColor } from '../../src/settings';
import { createRole } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';

jest.setTimeout(180_000);

/** `TEST_ROUNDS=10` makes five hundred writes of each kind and shows more. */
const ROUNDS = Number(process.env['TEST_ROUNDS'] ?? 1);
const AT_ONCE = 50;

describe('concurrent writes of the same rows in opposite order', () => {
  let service: TestService;
  let other: TestService;
  let admins: TestClient[];

  beforeAll(async () => {
    service = await TestService.start();
    other = await service.another();
    admins = [await service.admin(), await other.admin()];
  });

  afterAll(() => service.stop());

  /** Sends the same writes from both ends of the list at once to two instances. */
  async function crossing(write: (admin: TestClient, isReversed: boolean) => Promise<Answer<Problem>>): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => write(admins[index % 2]!, index % 4 < 2)),
      );
      const others = answers.filter(({ status }) => status !== 200 && status !== 503);
      expect(others.slice(0, 1).map(({ status, text }) => [status, text])).toEqual([]);
      // A write that waits too long for the lock gets 503. Most must succeed.
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(AT_ONCE / 2);
      for (const { status, headers } of answers.filter((answer) => answer.status === 503)) {
        expect([status, Number(headers['retry-after']) > 0]).toEqual([503, true]);
      }
    }
  }

  it('do not deadlock for batches of settings', async () => {
    let batches = 0;
    await crossing((admin, isReversed) => {
      const batch = ++batches;
      const updates = [
        { key: appName.key, value: `Batch ${batch}` },
        { key: appPrimaryColor.key, value: `#${String(batch).padStart(6, '0')}` },
      ];
      return admin.put<Problem>('/api/setting', { updates: isReversed ? updates.reverse() : updates });
    });
    const stored = await service.query<{ batch: string }>(
      `SELECT ltrim(regexp_replace(value::text, '[^0-9]', '', 'g'), '0') AS batch FROM setting WHERE key = ANY($1)`,
      [[appName.key, appPrimaryColor.key]],
    );
    expect(new Set(stored.map(({ batch }) => batch)).size).toBe(1);
  });

  it('do not deadlock for the members of two roles', async () => {
    const ids: string[] = [];
    for (let user = 0; user < 10; user++) {
      const client = await service.signUp(`crossed_${user}`);
      ids.push((await client.get<{ id: string }>('/api/auth/me')).body.id);
    }
    const roles = [await createRole(admins[0]!, 'crossing_a'), await createRole(admins[0]!, 'crossing_b')];
    let writes = 0;
    await crossing((admin, isReversed) => {
      const write = ++writes;
      const role = roles[write % 3 === 0 ? 1 : 0]!;
      // Half of the writes empty the role, so that each one changes something.
      const members = write % 2 === 0 ? [] : isReversed ? [...ids].reverse() : ids;
      return admin.put<Problem>(`/api/role/${role.id}/users`, { user_ids: members });
    });
  });
});
