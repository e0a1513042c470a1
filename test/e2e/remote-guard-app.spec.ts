import { Controller, Get } from '@nestjs/common';
import { Authenticated, InOrganization, RequirePermission } from '../../src/platform/access';
import { ServiceController } from '../../src/service-guard/client';
import { ChangeStreamService } from '../../src/service-guard/client/change-stream.service';
import { GuardedApp, Platform } from '../support/hosts/guarded-app';
import { accessTokenOf, guardClient } from '../support/hosts/guarded-service';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { basic, post, Registered } from '../support/oauth/oauth';
import { changeSettings } from '../support/organizations/organization-settings';
import { addMember, createOrganization, OrganizationAnswer } from '../support/organizations/organizations';
import { staleFor } from '../support/service/staleness';
import { Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';

/** The promised second, and some for a slow machine. */
const MAX_STALE_MS = 1_200;

const READ = { scope: 'billing', permission_id: 'invoice:read', level: 1 };

let service: TestService;
let url: string;
let admin: TestClient;
let client: Registered;
let ann: UserWithGrants;

const optionsFor = ({ client_id: clientId, client_secret: clientSecret = '' }: Registered) => ({
  url,
  clientId,
  clientSecret,
});

const isConnected = (app: GuardedApp): Promise<boolean> =>
  eventually(
    async () => app.app.get(ChangeStreamService).isConnected,
    (connected) => connected,
    20,
  );

beforeAll(async () => {
  service = await TestService.start();
  await service.app.listen(0, '127.0.0.1');
  url = await service.app.getUrl();
  admin = await service.admin();
  client = await guardClient(admin);
  ann = await userWith(service, admin, 'ann', READ);
});

afterAll(() => service.stop());

describe.each<Platform>(['express', 'fastify'])('a service with the guard on %s', (platform) => {
  let app: GuardedApp;

  beforeAll(async () => {
    app = await GuardedApp.start(platform, { ...optionsFor(client), permissions: { 'invoice:archive': {} } });
    await isConnected(app);
  });

  afterAll(() => app.stop());

  it('registers its permissions', async () => {
    const { body } = await admin.get<{ items: { scope: string; permission_id: string }[] }>('/api/permission');
    const ids = body.items.filter(({ scope }) => scope === 'billing').map(({ permission_id }) => permission_id);
    expect(ids).toEqual(['invoice:archive', 'invoice:create', 'invoice:delete', 'invoice:read']);
  });

  it.each([
    ['a public route', '/open', 200],
    ['a route for users', '/me', 200],
    ['a route with a permission that the user holds', '', 200],
    ["the user's own invoice", '/ann', 200],
    ['an invoice of another user', '/bob', 403],
    ['a route that needs a recent login', '/recent', 200],
  ])('answers %s to a cookie', async (_, path, expected) => {
    expect(await app.status(path, ann.client.cookie)).toBe(expected);
  });

  it('names the caller', async () => {
    const response = await app.send('/me', { cookie: ann.client.cookie });
    expect(await response.json()).toMatchObject({ userId: ann.id, username: 'ann', recentLogin: true, amr: ['pwd'] });
  });

  it('accepts an access token as bearer, but not beside a session cookie', async () => {
    const authorization = `Bearer ${accessTokenOf(ann.client)}`;
    expect((await app.send('', { authorization })).status).toBe(200);
    const refresh = ann.client.cookie.split('; ').find((pair) => pair.includes('_refresh=')) ?? '';
    expect((await app.send('', { authorization, cookie: refresh })).status).toBe(401);
  });

  it('does not admit a machine, whatever its token allows', async () => {
    const machine = await guardClient(admin, { scopes: ['billing:invoice:read'], introspection_resources: [] });
    const form = { grant_type: 'client_credentials', resource: 'urn:castellan:billing', scope: 'billing:invoice:read' };
    const { status, body } = await post(service, '/api/oauth/token', form, basic(machine));
    expect(status).toBe(200);
    const response = await app.send('', { authorization: `Bearer ${String(body['access_token'])}` });
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'unauthenticated' }]);
  });

  it('rejects requests as Castellan does, in the language of the caller', async () => {
    const none = await app.send('', { 'accept-language': 'zh' });
    expect([none.status, none.headers.get('content-type')]).toEqual([401, 'application/problem+json; charset=utf-8']);
    expect(await none.json()).toMatchObject({ code: 'unauthenticated', detail: '请先登录。' });
    const denied = await app.send('/bob', { cookie: ann.client.cookie, 'x-request-id': 'abc' });
    expect(await denied.json()).toEqual({
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'You need the permission invoice:delete in scope billing. Ask an administrator for it.',
      code: 'permission_denied',
      request_id: 'abc',
      params: { permission: 'invoice:delete', scope: 'billing' },
    });
    const bearer = await app.send('', { authorization: `Bearer ${'a'.repeat(40)}.b.c` });
    expect([bearer.status, bearer.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['another site without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['its own page', { 'sec-fetch-site': 'same-origin', origin: 'https://app.example.com' }, 201],
    ['no browser', {}, 201],
  ])('checks a change with a cookie from %s', async (_, headers, expected) => {
    const bob = await userWith(service, admin, `b${platform}${Date.now()}`, {
      ...READ,
      permission_id: 'invoice:create',
      level: 2,
    });
    const response = await app.send('', { ...headers, cookie: bob.client.cookie }, 'POST');
    expect([response.status, ((await response.json().catch(() => ({}))) as Partial<Problem>).code]).toEqual([
      expected,
      expected === 403 ? 'csrf_rejected' : undefined,
    ]);
  });

  it('closes routes when a permission is revoked and when the session ends', async () => {
    const carl = await userWith(service, admin, `carl_${platform}`, READ);
    const cookie = carl.client.cookie;
    expect(await app.status('', cookie)).toBe(200);
    await admin.patch(`/api/user/${carl.id}/permissions`, { remove: ['billing:invoice:read'] });
    expect(
      await eventually(
        () => app.status('', cookie),
        (status) => status !== 200,
      ),
    ).toBe(403);
    expect(await app.status('/me', cookie)).toBe(200);
    await admin.delete(`/api/user/${carl.id}/sessions`);
    expect(
      await eventually(
        () => app.status('/me', cookie),
        (status) => status !== 200,
      ),
    ).toBe(401);
  });
});

describe.each<Platform>(['express', 'fastify'])('@InOrganization() of a service on %s', (platform) => {
  let app: GuardedApp;
  let home: OrganizationAnswer;
  let other: OrganizationAnswer;
  let role: { readonly id: string };
  let member: UserWithGrants;

  beforeAll(async () => {
    app = await GuardedApp.start(platform, optionsFor(client));
    await isConnected(app);
    home = await createOrganization(admin, `home-${platform}`);
    other = await createOrganization(admin, `other-${platform}`);
    ({ body: role } = await admin.post<{ id: string }>('/api/role', {
      name: `reader_${platform}`,
      scope: 'billing',
      permissions: [READ],
    }));
    member = await userWith(service, admin, `member_${platform}`);
    await addMember(admin, home, member, role);
  });

  afterAll(() => app.stop());

  const answerTo = async (path: string, { client: browser }: Pick<UserWithGrants, 'client'>, organization?: string) => {
    const headers = {
      cookie: browser.cookie,
      ...(organization !== undefined && { 'x-organization-id': organization }),
    };
    const response = await app.send(path, headers);
    const text = await response.text();
    return response.ok ? text : `${response.status} ${(JSON.parse(text) as Problem).code}`;
  };

  it('counts what the user holds in the organization of the header', async () => {
    expect(await answerTo('/within', member, home.id)).toBe(home.id);
    expect(await answerTo('/within', member)).toBe('403 permission_denied');
    expect(await answerTo('/within', ann)).toBe('none');
  });

  it('counts it in the organization of the path', async () => {
    expect(await answerTo(`/of/${home.id}`, member)).toBe(home.id);
    expect(await answerTo(`/of/${home.id}`, ann)).toBe(home.id);
  });

  it.each([
    ['another organization', (): string => other.id],
    ['no organization', (): string => '01890000-0000-7000-8000-000000000000'],
    ['a text that is no id', (): string => 'acme'],
  ])('does not tell %s from one that does not exist', async (_, idOf) => {
    expect(await answerTo('/within', member, idOf())).toBe('404 not_found');
    expect(await answerTo(`/of/${idOf()}`, member)).toBe('404 not_found');
    expect(await answerTo('/within', ann, idOf())).toBe('404 not_found');
  });

  it('checks the header beside a path, too', async () => {
    expect(await answerTo(`/of/${home.id}`, member, home.id)).toBe(home.id);
    expect(await answerTo(`/of/${home.id}`, member, other.id)).toBe('404 not_found');
    expect(await answerTo(`/of/${home.id}`, member, 'acme')).toBe('404 not_found');
    expect(await answerTo(`/of/${home.id}`, ann, other.id)).toBe('404 not_found');
    const second = await createOrganization(admin, `second-${platform}`);
    await addMember(admin, second, member, role);
    expect(await answerTo(`/of/${home.id}`, member, second.id)).toBe(home.id);
  });

  it('names an owner the organization of the path only as its member', async () => {
    const own = `member_${platform}`;
    expect(await answerTo(`/of/${home.id}/${own}`, member)).toBe(home.id);
    expect(await answerTo(`/of/${other.id}/${own}`, member)).toBe('none');
    expect(await answerTo(`/of/${other.id}/ann`, member)).toBe('404 not_found');
  });

  it('does not find a path that is no id, whatever the caller holds', async () => {
    expect(await answerTo('/of/acme', ann)).toBe('404 not_found');
    expect(await answerTo('/of/acme/ann', ann)).toBe('404 not_found');
  });

  it('leaves the header alone on other routes', async () => {
    expect((await app.send('', { cookie: ann.client.cookie, 'x-organization-id': other.id })).status).toBe(200);
    expect((await app.send('', { cookie: member.client.cookie, 'x-organization-id': home.id })).status).toBe(403);
  });

  it('requires the second factor that the organization requires', async () => {
    const strict = await createOrganization(admin, `strict-${platform}`, { mfa_required: true });
    await addMember(admin, strict, member, role);
    expect(await answerTo('/within', member, strict.id)).toBe('403 mfa_enrolment_required');
    expect(await answerTo(`/of/${strict.id}`, member)).toBe('403 mfa_enrolment_required');
    expect(await answerTo('/within', member, home.id)).toBe(home.id);
  });

  it('requires a login that the organization accepts', async () => {
    const limited = await createOrganization(admin, `limited-${platform}`);
    await addMember(admin, limited, member, role);
    expect(await answerTo('/within', member, limited.id)).toBe(limited.id);
    expect((await changeSettings(admin, limited, { login_methods: ['email'] })).status).toBe(200);
    const rejected = '403 login_method_not_accepted';
    await eventually(
      () => answerTo('/within', member, limited.id),
      (answer) => answer === rejected,
    );
    expect(await answerTo(`/of/${limited.id}`, member)).toBe(rejected);
    expect(await answerTo('/within', member, home.id)).toBe(home.id);
  });

  it('closes the route when the member is removed', async () => {
    const leaving = await userWith(service, admin, `leaving_${platform}`);
    await addMember(admin, home, leaving, role);
    expect(await answerTo('/within', leaving, home.id)).toBe(home.id);
    await admin.delete(`/api/organization/${home.id}/members/${leaving.id}`);
    let answer = '';
    const stale = await staleFor(async () => (answer = await answerTo('/within', leaving, home.id)) !== home.id);
    expect(answer).toBe('404 not_found');
    expect(stale).toBeLessThanOrEqual(MAX_STALE_MS);
  });
});

describe('the start of a service with the guard', () => {
  it('fails with a wrong secret', async () => {
    const wrong = { ...optionsFor(client), clientSecret: 'wrong' };
    await expect(GuardedApp.start('fastify', wrong)).rejects.toThrow(
      /rejected the registration: .*invalid_client.*Check the options clientId and clientSecret/,
    );
  });

  it('fails with a permission of another service', async () => {
    const permissions = { 'crm:report:read': {} };
    await expect(GuardedApp.start('fastify', { ...optionsFor(client), permissions })).rejects.toThrow(
      'scope_disagrees',
    );
  });

  it.each<[string, MethodDecorator, string]>([
    ['without a permission', Authenticated(), 'use it with @RequirePermission'],
    ['with a parameter that the path lacks', RequirePermission('invoice:read'), 'write :organization'],
  ])('fails for @InOrganization() %s', async (_, policy, sentence) => {
    @ServiceController('odd/:id')
    class OddController {
      @Get() @policy @InOrganization({ parameter: 'organization' }) read(): void {}
    }
    const started = GuardedApp.start('fastify', optionsFor(client), { controller: OddController });
    await expect(started).rejects.toThrow(sentence);
  });

  it('fails for @InOrganization() on a plain controller', async () => {
    @Controller('plain')
    class PlainController {
      @Get() @InOrganization() read(): void {}
    }
    const started = GuardedApp.start('fastify', optionsFor(client), { controller: PlainController });
    await expect(started).rejects.toThrow('@InOrganization() on PlainController.read guards nothing');
  });

  it.each([{ url: 'castellan' }, { url: 'https://id.example.com/api' }, { clientId: '' }])(
    'fails with the options %j',
    async (wrong) => {
      await expect(GuardedApp.start('fastify', { ...optionsFor(client), ...wrong })).rejects.toThrow(
        'RemoteIdentityModule',
      );
    },
  );
});

it('leaves streams of changes out of the response times', async () => {
  const app = await GuardedApp.start('fastify', optionsFor(client));
  await isConnected(app);
  await app.stop();
  await eventually(
    async () => service.logLines.some((line) => line.includes('"route":"/api/guard/stream"')),
    (isLogged) => isLogged,
  );
  const { text } = await service.client().get('/metrics', { remoteAddress: '127.0.0.1' });
  expect(text).toMatch(/castellan_http_request_seconds_count\{[^}]*route="\/api\/guard\/catalogue"/);
  expect(text).not.toContain('route="/api/guard/stream"');
});
