import {
  about,
  authzenParties,
  Body,
  evaluate,
  evaluateAll,
  fieldsOf,
  invoice,
  MANY,
  ONE,
  read,
  UNKNOWN,
  user,
} from '../support/accounts/authzen';
import { ISSUER, basic, post, register } from '../support/oauth/oauth';
import { expectProblem } from '../support/service/expect-problem';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let bob: UserWithGrants;
let reader: UserWithGrants;

withService(async (started) => {
  ({ service, admin, ann, bob, reader } = await authzenParties(started));
});

const aboutAnn = (action: string, type?: string): Body => about(ann, action, type);

describe('POST /access/v1/evaluation', () => {
  it.each([
    ['billing:invoice', 'read', true],
    ['billing:invoice', 'update', true],
    ['billing:invoice', 'delete', false],
    ['billing:invoice', '*', false],
    ['billing:order', 'read', false],
    ['report', 'read', true],
    ['iam:report', 'read', true],
    ['crm:report', 'read', false],
    ['invoice', 'read', false],
    ['billing:*', 'read', false],
  ])('decides for %s and %s as the permission check does: %s', async (type, action, decision) => {
    const { status, body } = await evaluate(aboutAnn(action, type), reader);
    expect([status, body.decision]).toEqual([200, decision]);
    const checks = [{ permission_id: `${type}:${action}` }];
    const checked = await reader.client.post<{ allowed: boolean }>('/api/permission/check', {
      user_id: ann.id,
      checks,
    });
    expect(checked.body.allowed).toBe(decision);
  });

  it('counts the grants of roles', async () => {
    const body = { subject: user(bob.id), action: read, resource: { type: 'billing:order', id: '1' } };
    expect((await evaluate(body, reader)).body).toEqual({ decision: true });
  });

  it('returns no context with a permit, since a caller may reject a permit whose context it does not know', async () => {
    expect((await evaluate(aboutAnn('read'), reader)).body).toEqual({ decision: true });
  });

  it('explains a denial to administrators and users in each language, with the smallest grant', async () => {
    const { body } = await evaluate(aboutAnn('delete'), reader);
    expect(body).toEqual({
      decision: false,
      context: {
        reason: 'permission_denied',
        reason_admin: {
          en: 'No grant of this user allows invoice:delete in scope billing.',
          zh: expect.stringContaining('invoice:delete') as string,
        },
        reason_user: { en: expect.not.stringContaining('invoice') as string, zh: expect.any(String) as string },
        closest: { scope: 'billing', permission_id: 'invoice:delete', level: 4 },
      },
    });
  });

  it.each([
    ['an id of no user', { type: 'user', id: UNKNOWN }],
    ['a user name', { type: 'user', id: 'ann' }],
    ['another type', { type: 'device', id: UNKNOWN }],
    ['an empty id', { type: 'user', id: '' }],
  ])('denies %s as unknown subject', async (_, subject) => {
    const { status, body } = await evaluate({ subject, action: read, resource: invoice }, reader);
    expect([status, body]).toMatchObject([200, { decision: false, context: { reason: 'subject_unknown' } }]);
  });

  it('denies another type with the id of a user who holds the permission', async () => {
    const { body } = await evaluate({ ...aboutAnn('read'), subject: { type: 'group', id: ann.id } }, reader);
    expect(body).toMatchObject({ decision: false, context: { reason: 'subject_unknown' } });
  });

  it('denies a disabled user who holds the permission', async () => {
    const cid = await userWith(service, admin, 'cid', {
      scope: 'billing',
      permission_id: 'invoice:read',
      level: 1,
    });
    const body = { subject: user(cid.id), action: read, resource: invoice };
    expect((await evaluate(body, reader)).body).toEqual({ decision: true });
    await admin.patch(`/api/user/${cid.id}`, { status: 'disabled' });
    expect((await evaluate(body, reader)).body).toMatchObject({
      decision: false,
      context: { reason: 'subject_disabled' },
    });
  });

  it('ignores unknown members, properties and context', async () => {
    const body = {
      subject: user(ann.id, { properties: { role: 'admin', deep: { er: [1] } }, later: 1 }),
      action: { name: 'read', properties: { level: 7 }, later: null },
      resource: { ...invoice, properties: {}, later: [] },
      context: { time: '2025-06-27T18:03-07:00' },
      later: { nested: true },
    };
    expect(await evaluate(body, reader)).toMatchObject({ status: 200, body: { decision: true } });
    expect(
      (await evaluate({ ...body, action: { name: 'delete', properties: { level: 1 } } }, reader)).body.decision,
    ).toBe(false);
  });

  it.each<[string, (body: Body) => unknown, string[]]>([
    ['no subject', ({ action, resource }) => ({ action, resource }), ['subject required']],
    ['no action', ({ subject, resource }) => ({ subject, resource }), ['action required']],
    ['no resource', ({ subject, action }) => ({ subject, action }), ['resource required']],
    ['a subject without type', (body) => ({ ...body, subject: { id: UNKNOWN } }), ['subject.type required']],
    ['a subject without id', (body) => ({ ...body, subject: { type: 'user' } }), ['subject.id required']],
    ['an action without name', (body) => ({ ...body, action: {} }), ['action.name required']],
    ['a resource without type', (body) => ({ ...body, resource: { id: '1' } }), ['resource.type required']],
    ['a resource without id', (body) => ({ ...body, resource: { type: 'a' } }), ['resource.id required']],
    ['a text as subject', (body) => ({ ...body, subject: 'ann' }), ['subject type_object']],
    ['null as subject', (body) => ({ ...body, subject: null }), ['subject type_object']],
    ['a number as name', (body) => ({ ...body, action: { name: 123 } }), ['action.name type_text']],
    ['a list as context', (body) => ({ ...body, context: [] }), ['context type_object']],
    [
      'a text as properties',
      (body) => ({ ...body, action: { ...read, properties: 'x' } }),
      ['action.properties type_object'],
    ],
    ['an action in capitals', (body) => ({ ...body, action: { name: 'GET' } }), ['action.name action_name']],
    ['an action with a colon', (body) => ({ ...body, action: { name: 'a:b' } }), ['action.name action_name']],
    [
      'a resource with three parts',
      (body) => ({ ...body, resource: { type: 'a:b:c', id: '1' } }),
      ['resource.type resource_name'],
    ],
    [
      'a resource in capitals',
      (body) => ({ ...body, resource: { type: 'Invoice', id: '1' } }),
      ['resource.type resource_name'],
    ],
    ['a long id', (body) => ({ ...body, resource: { type: 'a', id: 'x'.repeat(1_025) } }), ['resource.id max_length']],
    ['an empty body', () => ({}), ['subject required', 'action required', 'resource required']],
    ['a list', () => [], [' type_object']],
    ['no body', () => undefined, ['subject required', 'action required', 'resource required']],
  ])('rejects %s', async (_, change, fields) => {
    for (const path of [ONE, MANY]) {
      const answer = await reader.client.post<Problem>(path, change(aboutAnn('read')));
      expectProblem(answer, 400, 'validation_failed');
      expect(fieldsOf(answer)).toEqual(fields);
    }
  });

  it.each([
    ['text', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    ['a form', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['malformed JSON', { raw: '{"subject"', headers: { 'content-type': 'application/json' } }],
  ])('rejects %s with 400', async (_, options) => {
    for (const path of [ONE, MANY]) {
      const answer = await reader.client.send<Problem>('POST', path, options);
      expectProblem(answer, 400, 'malformed_json');
    }
  });

  it('returns the same decision each time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => evaluate(aboutAnn('read'), reader)));
    expect(answers.map(({ body }) => body.decision)).toEqual([true, true, true]);
  });

  it('follows a lost permission at once', async () => {
    const dan = await userWith(service, admin, 'dan', {
      scope: 'billing',
      permission_id: 'invoice:read',
      level: 1,
    });
    const body = { subject: user(dan.id), action: read, resource: invoice };
    expect((await evaluate(body, reader)).body.decision).toBe(true);
    await admin.patch(`/api/user/${dan.id}/permissions`, { remove: ['billing:invoice:read'] });
    expect((await evaluate(body, reader)).body.decision).toBe(false);
  });
});

describe('caller of AuthZEN', () => {
  it('needs no permission for itself and permission:read for others, whether or not they exist', async () => {
    expect((await evaluate(aboutAnn('read'), ann)).body).toEqual({ decision: true });
    for (const subject of [user(ann.id), user(UNKNOWN), { type: 'device', id: bob.id }]) {
      const denied = await evaluate({ ...aboutAnn('read'), subject }, bob);
      expectProblem(denied, 403, 'permission_denied');
    }
    const mixed = {
      action: read,
      resource: invoice,
      evaluations: [{ subject: user(bob.id) }, { subject: user(ann.id) }],
    };
    expect((await evaluateAll(mixed, bob)).status).toBe(403);
    expect((await evaluateAll({ ...mixed, evaluations: [{ subject: user(bob.id) }] }, bob)).status).toBe(200);
  });

  it('gets 401 with a challenge without credentials', async () => {
    for (const path of [ONE, MANY]) {
      const answer = await service.client().post<Problem>(path, aboutAnn('read'));
      expectProblem(answer, 401, 'unauthenticated');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('may be an OAuth client with the scope permission:read', async () => {
    const tokenWith = async (scope: string): Promise<string> => {
      const fields = { name: 'Gateway', redirect_uris: [], grant_types: ['client_credentials'], scopes: [scope] };
      const client = await register(admin, fields);
      const form = { grant_type: 'client_credentials', scope, resource: 'urn:castellan:iam' };
      return (await post(service, '/api/oauth/token', form, basic(client))).body['access_token'] as string;
    };
    const ask = async (path: string, token: string, body: unknown): Promise<Answer<unknown>> =>
      service.client().post<unknown>(path, body, { headers: { authorization: `Bearer ${token}` } });
    const gateway = await tokenWith('permission:read');
    expect(await ask(ONE, gateway, aboutAnn('read'))).toMatchObject({ status: 200, body: { decision: true } });
    const batch = { ...aboutAnn('read'), evaluations: [{}, { subject: user(UNKNOWN) }] };
    expect(await ask(MANY, gateway, batch)).toMatchObject({
      status: 200,
      body: { evaluations: [{ decision: true }, { decision: false }] },
    });
    const other = await ask(ONE, await tokenWith('role:read'), aboutAnn('read'));
    expect(other.status).toBe(403);
    expect(other.headers['www-authenticate']).toContain('insufficient_scope');
    const forged = await ask(ONE, `${gateway}x`, aboutAnn('read'));
    expect([forged.status, forged.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
  });

  it('is protected from other sites', async () => {
    const options = { headers: { origin: 'https://evil.example' } };
    expect((await evaluate(aboutAnn('read'), ann, options)).status).toBe(403);
  });
});

describe('X-Request-ID on AuthZEN routes', () => {
  const idAfter = async (body: unknown, id?: string): Promise<unknown> => {
    const headers = id === undefined ? {} : { 'x-request-id': id };
    const answer = await service.app.inject({ method: 'POST', url: ONE, headers, payload: body as object });
    return answer.headers['x-request-id'];
  };

  it.each(['bfe9eb29-ab87-4ca3-be83-a1d5d8305716', 'a/b: c?d=[1]', 'x'.repeat(256)])('echoes %s', async (id) => {
    expect(
      (await evaluate(aboutAnn('read'), reader, { headers: { 'x-request-id': id } })).headers['x-request-id'],
    ).toBe(id);
    // An anonymous request, which is rejected.
    expect(await idAfter(aboutAnn('read'), id)).toBe(id);
  });

  it.each([undefined, 'x'.repeat(257), 'é'])('replaces %s by an id of the service', async (id) => {
    expect(await idAfter(aboutAnn('read'), id)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('leaves the ids of other routes as they were', async () => {
    const answer = await service.client().get('/api/info', { headers: { 'x-request-id': 'a/b' } });
    expect(answer.headers['x-request-id']).not.toBe('a/b');
  });
});

describe('GET /.well-known/authzen-configuration', () => {
  it('names the endpoints below the issuer to anyone', async () => {
    const { status, headers, body } = await service
      .client()
      .get<Record<string, string>>('/.well-known/authzen-configuration');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers['cache-control']).toBe('public, max-age=300');
    expect(body).toEqual({
      policy_decision_point: ISSUER,
      access_evaluation_endpoint: `${ISSUER}/access/v1/evaluation`,
      access_evaluations_endpoint: `${ISSUER}/access/v1/evaluations`,
    });
  });
});
