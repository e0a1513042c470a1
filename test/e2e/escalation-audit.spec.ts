import { defaultRole } from '../../src/rbac/grants/rbac.settings';
import { expectProblem } from '../support/service/expect-problem';
import { createRole, GrantInput, UserWithGrants, userWith, RoleAnswer } from '../support/accounts/holders';
import { Answer, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Attempt {
  readonly actor_id: string;
  readonly target_id: string | null;
  readonly ip: string | null;
  readonly lacking: readonly { scope: string; permission_id: string; level: number }[];
  readonly lacking_count: number;
}

let service: TestService;
let admin: TestClient;
let clerk: UserWithGrants;
let above: UserWithGrants;
let strong: RoleAnswer;
let plain: RoleAnswer;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  const held: GrantInput[] = ['role:*', 'user:admin', 'permission:*', 'setting:*', 'oauth_provider:*'].map(
    (permission_id) => ({ permission_id }),
  );
  clerk = await userWith(service, admin, 'clerk', ...held, { permission_id: 'report:*', level: 3 });
  above = await userWith(service, admin, 'above', { permission_id: 'billing:read', level: 1 });
  strong = await createRole(admin, 'strong', { permission_id: 'billing:read', level: 2 });
  plain = await createRole(admin, 'plain', { permission_id: 'report:read', level: 1 });
});

/** Audit events of rejected attempts, newest first. */
const attempts = (): Promise<Attempt[]> =>
  service.query<Attempt>(
    `SELECT actor_id, target_id, ip, after -> 'lacking' AS lacking, (after ->> 'lacking_count')::int AS lacking_count
     FROM audit_event WHERE action = 'permission.escalate' AND outcome = 'failure' ORDER BY id DESC`,
  );

const nothingYet = (): null => null;

/** Each act: its title, its request and the target id of its audit event. */
const acts: [string, (as: TestClient) => Promise<Answer>, () => string | null][] = [
  [
    'creating a role',
    (as) => as.post('/api/role', { name: 'grabbed', permissions: [{ permission_id: 'billing:read' }] }),
    nothingYet,
  ],
  ['changing a role', (as) => as.patch(`/api/role/${strong.id}`, { description: 'mine' }), () => strong.id],
  ['deleting a role', (as) => as.delete(`/api/role/${strong.id}`), () => strong.id],
  ['the users of a role', (as) => as.put(`/api/role/${strong.id}/users`, { user_ids: [clerk.id] }), () => strong.id],
  [
    'the role of a user with more permissions',
    (as) => as.put(`/api/role/${plain.id}/users`, { user_ids: [above.id] }),
    () => plain.id,
  ],
  ['assigning a role', (as) => as.post(`/api/user/${clerk.id}/roles`, { role_ids: [strong.id] }), () => clerk.id],
  [
    'granting a permission',
    (as) => as.patch(`/api/user/${clerk.id}/permissions`, { add: [{ permission_id: 'billing:read' }] }),
    () => clerk.id,
  ],
  ['a user with more permissions', (as) => as.patch(`/api/user/${above.id}`, { nickname: 'mine' }), () => above.id],
  [
    'the catalogue of another scope',
    (as) => as.post('/api/permission', { scope: 'crm', permission_id: 'a:b' }),
    () => 'crm:a:b',
  ],
  [
    'the trust in a login provider',
    (as) =>
      as.post('/api/oauth/provider', {
        ...{ name: 'gh', label: 'GitHub', template: 'github', client_id: 'id', client_secret: 'secret' },
        trust_email: true,
      }),
    nothingYet,
  ],
];

describe('audit of privilege escalation', () => {
  it.each(acts)('records a rejected attempt at %s', async (_, send, target) => {
    const earlier = (await attempts()).length;
    expectProblem(await send(clerk.client), 403, 'escalation_denied');
    const [attempt, ...others] = await attempts();
    expect(others).toHaveLength(earlier);
    expect(attempt).toMatchObject({ actor_id: clerk.id, target_id: target(), ip: expect.any(String) as string });
    expect(attempt?.lacking).not.toEqual([]);
  });

  it('records the missing permissions and the target user', async () => {
    const permissions = [
      { permission_id: 'report:read', level: 3 },
      { permission_id: 'report:update', level: 4 },
      { scope: 'crm', permission_id: 'report:read', level: 1 },
    ];
    await clerk.client.post('/api/role', { name: 'grabbed', permissions });
    expect((await attempts())[0]).toMatchObject({
      target_id: null,
      lacking: [
        { scope: 'crm', permission_id: 'report:read', level: 1 },
        { scope: 'iam', permission_id: 'report:update', level: 4 },
      ],
      lacking_count: 2,
    });
    await clerk.client.patch(`/api/user/${above.id}/permissions`, {});
    expect((await attempts())[0]).toMatchObject({
      target_id: above.id,
      lacking: [{ scope: 'iam', permission_id: 'billing:read', level: 1 }],
    });
  });

  it('lists fifty of the missing permissions and counts all of them', async () => {
    const permissions = Array.from({ length: 60 }, (_, index) => ({ permission_id: `thing_${index}:read` }));
    await clerk.client.post('/api/role', { name: 'grabbed', permissions });
    const [attempt] = await attempts();
    expect([attempt?.lacking.length, attempt?.lacking_count]).toEqual([50, 60]);
  });

  it('records an attempt through a setting that grants permissions', async () => {
    const earlier = (await attempts()).length;
    const updates = [{ key: defaultRole.key, value: 'strong' }];
    const answer = await clerk.client.put('/api/setting', { updates });
    expect(answer.body).toMatchObject({ errors: [{ code: 'escalation_denied' }] });
    const [attempt, ...others] = await attempts();
    expect(others).toHaveLength(earlier);
    expect(attempt).toMatchObject({ target_id: defaultRole.key });
  });

  it('records nothing for a caller who holds the permission', async () => {
    const earlier = (await attempts()).length;
    const role = await createRole(clerk.client, 'quiet', { permission_id: 'report:read', level: 3 });
    expect((await clerk.client.delete(`/api/role/${role.id}`)).status).toBe(204);
    expect(await attempts()).toHaveLength(earlier);
  });
});
