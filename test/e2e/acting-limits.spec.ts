import { actAsEnabled } from '../../src/session';
import { accessTable } from '../support/documents/access-table';
import { logInLongAgo } from '../support/accounts/accounts';
import { ACT_AS, actAs, REASON, someoneActing } from '../support/accounts/acting';
import { createUser } from '../support/accounts/admin-users';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, createRole, UserWithGrants } from '../support/accounts/holders';
import { begin, register, relyingParty, redirectOf } from '../support/oauth/oauth';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { Method, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

/** Open to a user who acts as another, and harmless. Maintained by hand. */
const ALLOWED = [
  'POST /access/v1/evaluation',
  'POST /access/v1/evaluations',
  'POST /api/auth/assertion',
  'POST /api/auth/users',
  'POST /api/permission/check',
];
/** Routes that do not depend on the session of the browser. */
const PUBLIC = [
  'POST /api/auth/codes',
  'POST /api/auth/identify',
  'POST /api/auth/login',
  'POST /api/auth/login/mfa',
  'POST /api/auth/login/mfa/options',
  'POST /api/auth/login/passkey/options',
  'POST /api/auth/password/reset',
  'POST /api/auth/register',
  'POST /api/invitation/show',
  'POST /api/oauth/bind/login',
  'POST /api/oauth/bind/register',
  'POST /api/oauth/callback/{name}',
  'POST /api/oauth/interaction/{uid}',
];
/** These would end the session, or follow the RFCs of OAuth, where an acting user counts as logged out. */
const APART =
  /\/api\/auth\/(?:logout|refresh|act-as)$|\/api\/oauth\/(?:authorize|token|revoke|introspect|par|userinfo|logout)/;

let service: TestService;
let admin: TestClient;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  await service.set(actAsEnabled, true);
});

const helper = (...grants: string[]): Promise<UserWithGrants> => anyUserWith(service, admin, ACT_AS, ...grants);
const person = (...grants: string[]): Promise<UserWithGrants> => anyUserWith(service, admin, ...grants);

describe('a user who acts as another', () => {
  it('cannot change anything, by any route', async () => {
    const { actor } = await someoneActing(service, admin);
    const open: string[] = [];
    for (const route of Object.keys(accessTable)) {
      const [method, path] = route.split(' ') as [Method, string];
      if (method === 'GET' || APART.test(path)) continue;
      const takesBody = method !== 'DELETE';
      const url = path.replace(/\{\w+\}/g, UNKNOWN_ID);
      const { body } = await actor.client.send<Problem | undefined>(method, url, takesBody ? { body: {} } : {});
      if (body?.code !== 'acting_restricted') open.push(route);
    }
    expect(open.sort()).toEqual([...ALLOWED, ...PUBLIC].sort());
  });

  it('cannot have a code sent for a new contact', async () => {
    const { actor, user } = await someoneActing(service, admin);
    const body = { purpose: 'bind', channel: 'email', target: 'new_contact@example.com' };
    expectProblem(await actor.client.post('/api/auth/codes', body), 403, 'acting_restricted');
    expect((await user.client.post('/api/auth/codes', body)).status).toBe(202);
  });

  it('sees what the user sees', async () => {
    const { actor, user } = await someoneActing(service, admin, 'role:read');
    expect((await actor.client.get('/api/role')).status).toBe(200);
    expect((await actor.client.get('/api/user')).status).toBe(403);
    const { body } = await actor.client.get<{ id: string }>('/api/auth/me');
    expect(body.id).toBe(user.id);
  });

  it('cannot act as a third one', async () => {
    const [third, { actor }] = [await person(), await someoneActing(service, admin, ACT_AS)];
    expectProblem(await actAs(actor.client, third), 403, 'acting_restricted');
  });

  it('is not known to applications, and cannot consent', async () => {
    const app = await register(admin);
    const config = await relyingParty(() => service, app);
    const { actor } = await someoneActing(service, admin);
    const page = await redirectOf(actor.client, (await begin(config)).url);
    expect(page).toContain('/login?');
    const uid = new URL(page, 'http://id.test').searchParams.get('interaction') ?? '';
    const address = `/api/oauth/interaction/${uid}`;
    expectProblem(await actor.client.get(address), 403, 'acting_restricted');
    expectProblem(await actor.client.post(address, { decision: 'allow' }), 403, 'acting_restricted');
    const silent = await redirectOf(actor.client, (await begin(config, { prompt: 'none' })).url);
    expect(new URL(silent).searchParams.get('error')).toBe('login_required');
  });
});

describe('acting as a user', () => {
  it('needs its own permission, which administering users does not include', async () => {
    const user = await person();
    for (const grants of [[], ['user:admin']]) {
      expectProblem(await actAs((await person(...grants)).client, user), 403, 'permission_denied');
    }
    expect((await actAs((await helper()).client, user)).status).toBe(201);
  });

  it('needs a recent login', async () => {
    const [user, { username }] = [await person(), await helper()];
    const stale = await logInLongAgo(service, username);
    expectProblem(await actAs(stale, user), 401, 'reauthentication_required');
  });

  it('is off by default', async () => {
    expect(actAsEnabled.defaultValue).toBe(false);
    const [user, { client }] = [await person(), await helper()];
    await service.set(actAsEnabled, false);
    expectProblem(await actAs(client, user), 403, 'act_as_disabled');
    await service.set(actAsEnabled, true);
  });

  it.each([[{}], [{ reason: null }], [{ reason: '  ' }], [{ reason: 'x' }], [{ reason: 'x'.repeat(501) }]])(
    'needs a reason: rejects %j',
    async (body) => {
      const [user, { client }] = [await person(), await helper()];
      const answer = await actAs(client, user, body);
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors?.map(({ field }) => field)).toEqual(['reason']);
    },
  );

  it('is for another user, who exists and is active', async () => {
    const actor = await helper();
    expectProblem(await actAs(actor.client, actor), 403, 'escalation_denied');
    expectProblem(await actAs(actor.client, { id: UNKNOWN_ID }), 404, 'not_found');
    const disabled = await person();
    await admin.patch(`/api/user/${disabled.id}`, { status: 'disabled' });
    expectProblem(await actAs(actor.client, disabled), 403, 'user_disabled');
  });

  it.each<[string, (user: UserWithGrants) => Promise<unknown>, string]>([
    ['directly', ({ id }) => admin.patch(`/api/user/${id}/permissions`, GAIN), 'role:read'],
    [
      'by a role',
      async ({ id }) => {
        const role = await createRole(admin, `readers_${id.slice(-12)}`, 'role:read');
        await admin.post(`/api/user/${id}/roles`, { role_ids: [role.id] });
      },
      'role:read',
    ],
    [
      'in an organization',
      async (user) => {
        const slug = `org-${user.id.slice(-12)}`;
        const role = await createRole(admin, `owners_${user.id.slice(-12)}`, 'organization:update');
        await addMember(admin, await createOrganization(admin, slug), user, role);
      },
      'organization:update',
    ],
    [
      'through an OAuth client',
      async ({ id }) => {
        const { id: clientId } = await register(admin, { scopes: ['role:read'] });
        await service.query('UPDATE oauth_client SET owner_id = $2 WHERE id = $1', [clientId, id]);
      },
      'role:read',
    ],
  ])('needs everything that the user holds %s', async (_, give, permission) => {
    const [weak, strong, user] = [await helper(), await helper(permission), await person()];
    await give(user);
    expectProblem(await actAs(weak.client, user), 403, 'escalation_denied');
    expect((await actAs(strong.client, user)).status).toBe(201);
    expect((await strong.client.get('/api/auth/me')).status).toBe(200);
  });

  it('as an administrator needs everything', async () => {
    const actor = await helper('user:admin', 'role:update');
    const { body } = await admin.get<{ id: string }>('/api/auth/me');
    expectProblem(await actAs(actor.client, body), 403, 'escalation_denied');
    const user = await createUser(admin, 'acted_as_by_all');
    expect((await actAs(await service.admin(), user, { reason: REASON })).status).toBe(201);
  });
});

const GAIN = { add: [{ permission_id: 'role:read' }] };
