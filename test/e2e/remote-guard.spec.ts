import { mfaPolicy } from '../../src/mfa/mfa.settings';
import { EventStream } from '../support/receivers/event-stream';
import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { accessTokenOf, bearer, guardClient, guardToken, checkSession } from '../support/hosts/guarded-service';
import { Registered } from '../support/oauth/oauth';
import { addMember, createOrganization } from '../support/organizations/organizations';
import { listen } from '../support/service/raw-http';
import { TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const READ = { scope: 'billing', permission_id: 'invoice:read', level: 1 };

let service: TestService;
let admin: TestClient;
let client: Registered;
let token: string;
let ann: UserWithGrants;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  client = await guardClient(admin);
  token = await guardToken(service, client);
  ann = await userWith(service, admin, 'ann', READ, 'role:read');
});

const checkAnn = (permissions?: string[]): ReturnType<typeof checkSession> =>
  checkSession(service, token, [accessTokenOf(ann.client)], permissions);

describe('session check for another service', () => {
  it('names the user, the session and the permissions asked for that the user holds', async () => {
    const { status, body } = await checkAnn(['invoice:read', 'invoice:delete', 'billing:invoice:read']);
    expect(status).toBe(200);
    expect(body).toEqual({
      active: true,
      user: { id: ann.id, username: 'ann', locale: null },
      session: {
        id: expect.any(String) as string,
        amr: ['pwd'],
        recent_login: true,
        recent_second_factor: false,
      },
      second_factor: { offered: true, enrolled: false },
      pending: null,
      permissions: ['invoice:read', 'billing:invoice:read'],
      subjects: [expect.any(String), expect.any(String)],
      expires_in: expect.any(Number) as number,
    });
    expect(body.expires_in).toBeGreaterThan(800);
    expect(body.subjects?.join()).not.toContain(ann.id);
  });

  it.each([
    ['role:read of another scope', 'iam:role:read', 'scope_disagrees'],
    ['a malformed permission', 'invoice', 'permission'],
    ['every scope', '*:invoice:read', 'scope_disagrees'],
  ])('rejects %s', async (_, permission, code) => {
    const { status, body } = await checkSession(service, token, [accessTokenOf(ann.client)], [permission]);
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'permissions[0]', code }] }]);
  });

  it('does not accept a refresh token', async () => {
    const refresh = [...ann.client.jar].find(([name]) => name.endsWith('_refresh'))![1];
    expect((await checkSession(service, token, [refresh])).body).toEqual({ active: false, code: 'unauthenticated' });
  });

  it('sees an ended session and a lost permission of another instance at once', async () => {
    const other = await service.another();
    const bob = await userWith(service, admin, 'bob', READ);
    const ask = (): ReturnType<typeof checkSession> => checkSession(other, token, [accessTokenOf(bob.client)]);
    expect((await ask()).body.permissions).toEqual(['invoice:read']);
    await admin.patch(`/api/user/${bob.id}/permissions`, { remove: ['billing:invoice:read'] });
    expect((await ask()).body.permissions).toEqual([]);
    const cookie = bob.client.cookie;
    await admin.delete(`/api/user/${bob.id}/sessions`);
    expect((await ask()).body).toEqual({ active: false, code: 'session_revoked' });
    expect((await service.client().get('/api/auth/me', { cookie })).status).toBe(401);
  });

  it('names a pending duty', async () => {
    await service.set(mfaPolicy, 'required');
    expect((await checkAnn()).body).toMatchObject({ active: true, pending: 'mfa_enrolment' });
    await service.set(mfaPolicy, 'optional');
  });
});

describe('session check within an organization', () => {
  const READ_THERE = ['invoice:read'];

  it('names what the user holds there, and the membership', async () => {
    const organization = await createOrganization(admin, 'acme');
    const { body: role } = await admin.post<{ id: string }>('/api/role', {
      name: 'reader',
      scope: 'billing',
      permissions: [READ],
    });
    const bob = await userWith(service, admin, 'bob_of_acme');
    const tokens = [accessTokenOf(bob.client)];
    const check = async (more: object) =>
      (
        await service
          .client()
          .post<object>('/api/guard/check', { tokens, permissions: READ_THERE, ...more }, bearer(token))
      ).body;
    const there = { organization_id: organization.id };
    const stranger = { member: false, open: false, login_accepted: true, enrolment_due: false };
    expect(await check(there)).toMatchObject({ active: true, organization: stranger, permissions: [] });
    await addMember(admin, organization, bob, role);
    expect(await check(there)).toMatchObject({
      organization: { member: true, open: true, login_accepted: true, enrolment_due: false },
      permissions: READ_THERE,
    });
    const everywhere = await check({});
    expect(everywhere).toMatchObject({ permissions: [] });
    expect(everywhere).not.toHaveProperty('organization');
    const nowhere = { organization_id: '01890000-0000-7000-8000-000000000000' };
    expect(await check(nowhere)).toMatchObject({ organization: stranger, permissions: [] });
  });

  it('rejects what is no id', async () => {
    const body = { tokens: [accessTokenOf(ann.client)], permissions: READ_THERE, organization_id: 'acme' };
    const answer = await service.client().post('/api/guard/check', body, bearer(token));
    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ field: 'organization_id', code: 'id' }] }]);
  });
});

describe('a client of a guard', () => {
  it('needs the permission', async () => {
    const without = await guardClient(admin, { scopes: ['role:read', 'remote_guard:execute'] });
    const { body } = await admin.get<{ id: string }>(`/api/oauth/client/${without.id}`);
    const other = await guardToken(service, without);
    await admin.patch(`/api/oauth/client/${body.id}`, { scopes: ['role:read'] });
    await eventually(
      async () => (await checkSession(service, other, ['x'])).status,
      (status) => status !== 200,
    );
    expect((await checkSession(service, other, ['x'])).status).toBe(401);
  });

  it.each([
    ['no introspection resource', []],
    ['two introspection resources', ['urn:castellan:billing', 'urn:castellan:iam']],
  ])('is rejected with %s', async (_, introspection_resources) => {
    const other = await guardToken(service, await guardClient(admin, { introspection_resources }));
    expectProblem(await checkSession(service, other, ['x']), 403, 'guard_scope_required');
  });

  it('loses its service with the permissions of the user who set it', async () => {
    const owner = await userWith(
      service,
      admin,
      'owner',
      { permission_id: '*:*' },
      { scope: 'billing', permission_id: '*:*' },
    );
    const other = await guardToken(service, await guardClient(owner.client));
    expect((await checkSession(service, other, [accessTokenOf(ann.client)])).status).toBe(200);
    await admin.patch(`/api/user/${owner.id}/permissions`, { remove: ['billing:*:*'] });
    const after = await eventually(
      () => checkSession(service, other, [accessTokenOf(ann.client)]),
      ({ status }) => status !== 200,
    );
    expectProblem(after, 403, 'guard_scope_required');
  });

  it('is not a user, whatever the user may do', async () => {
    expectProblem(await admin.post('/api/guard/check', {}), 403, 'client_required');
  });
});

describe('the stream of changes', () => {
  const PLACES = 100;

  it('leaves places for other clients when one takes all of its own', async () => {
    const port = await listen(service.app);
    const follow = (accessToken: string): Promise<EventStream> =>
      EventStream.open(port, { cookie: '' }, { path: '/api/guard/stream', ...bearer(accessToken) });
    const opened = await Promise.all(Array.from({ length: PLACES + 1 }, () => follow(token)));
    const refused = opened.filter(({ answer }) => answer.statusCode !== 200);
    const other = await follow(await guardToken(service, await guardClient(admin, { name: 'Other' })));
    for (const stream of [...opened, other]) stream.close();
    expect(refused.map(({ answer }) => [answer.statusCode, answer.headers['retry-after']])).toEqual([[429, '5']]);
    expect(other.answer.statusCode).toBe(200);
  });
});

describe('registration of a catalogue', () => {
  const registerAll = (permissions: object[]): Promise<{ status: number; body: Record<string, unknown> }> =>
    service.client().put<Record<string, unknown>>('/api/guard/catalogue', { permissions }, bearer(token));
  const events = async (): Promise<string[]> => {
    const { body } = await admin.get<{ items: { action: string; actor_name: string }[] }>(
      '/api/audit?action=permission.update',
    );
    return body.items.map(({ action }) => action);
  };

  it('keeps at most 500 permissions in all', async () => {
    const some = (prefix: string, length: number): object[] =>
      Array.from({ length }, (_, place) => ({ permission_id: `${prefix}${place}:read` }));
    const stored = async (): Promise<number> =>
      (await service.query(`SELECT 1 FROM catalogue_entry WHERE scope = 'billing'`)).length;
    const count = await stored();
    expect((await registerAll(some('many', 300))).status).toBe(200);
    const tooMany = await registerAll(some('more', 201 - count));
    expect([tooMany.status, tooMany.body['errors']]).toEqual([
      400,
      [expect.objectContaining({ field: 'permissions', code: 'max_items' })],
    ]);
    expect(await stored()).toBe(count + 300);
    expect((await registerAll(some('more', 200 - count))).status).toBe(200);
    expect(await stored()).toBe(500);
    await service.query(`DELETE FROM catalogue_entry WHERE permission_id ~ '^(many|more)'`);
  });

  it('adds and updates permissions, once', async () => {
    const wanted = [
      { permission_id: 'invoice:read', description: 'Read invoices' },
      { permission_id: 'invoice:publish', description: 'Publish', required_level: 3 },
    ];
    const first = await registerAll(wanted);
    expect(first).toMatchObject({
      status: 200,
      body: {
        scope: 'billing',
        access_cookie: 'iam_access',
        added: ['invoice:publish'],
        updated: ['invoice:read'],
      },
    });
    expect((await registerAll(wanted)).body).toMatchObject({ added: [], updated: [] });
    expect(await events()).toEqual(['permission.update']);
    const { body } = await admin.get<{ items: object[] }>('/api/permission');
    expect(body.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ scope: 'billing', permission_id: 'invoice:publish', required_level: 3 }),
      ]),
    );
  });

  it('may only name what the modules declare, in the scope of the service itself', async () => {
    const own = await guardToken(service, await guardClient(admin, {}, 'iam'));
    const name = (permissionId: string): Promise<unknown> =>
      service.client().put('/api/guard/catalogue', { permissions: [{ permission_id: permissionId }] }, bearer(own));
    expect(await name('role:read')).toMatchObject({ status: 200, body: { scope: 'iam', added: [], updated: [] } });
    expect(await name('invoice:read')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'permissions[0].permission_id', code: 'other_scope' }] },
    });
  });

  it('keeps what the service does not name', async () => {
    expect((await registerAll([{ permission_id: 'invoice:publish' }])).body).toMatchObject({ added: [], updated: [] });
  });

  it.each([
    [{ permission_id: 'crm:report:read' }, 'permission_id', 'scope_disagrees'],
    [{ permission_id: 'invoice:*' }, 'permission_id', 'one_permission'],
    [{ permission_id: 'invoice' }, 'permission_id', 'permission'],
    [{ permission_id: 'invoice:read', required_level: 2 }, 'required_level', 'standard_rank'],
  ])('rejects %j', async (permission, field, code) => {
    const { status, body } = await registerAll([permission]);
    expect([status, body]).toMatchObject([400, { errors: [{ field: `permissions[0].${field}`, code }] }]);
  });

  it('is recorded with the client as actor', async () => {
    const { body } = await admin.get<{ items: { actor: { username: string } }[] }>(
      '/api/audit?action=permission.create',
    );
    expect(JSON.stringify(body.items[0])).toContain(`client:${client.client_id}`);
  });
});
