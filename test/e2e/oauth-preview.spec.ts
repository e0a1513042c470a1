import { randomUUID } from 'node:crypto';
import { createRole, UserWithGrants, userWith } from '../support/accounts/holders';
import { logInAt, register, Registered, relyingParty } from '../support/oauth/oauth';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Claim {
  readonly name: string;
  readonly value: unknown;
  readonly reason: string;
}

interface Preview extends Problem {
  readonly allowed: boolean;
  readonly reason: string;
  readonly id_token: Claim[];
  readonly userinfo: Claim[];
  readonly access_token: Claim[];
}

const CLAIMS = [
  { name: 'groups', from: 'roles', filter: 'team-', in: ['id_token', 'userinfo'] },
  { name: 'tenant', from: 'constant', value: 'acme', in: ['id_token', 'access_token'] },
];
const SCOPES = ['openid', 'email', 'permissions'];

let service: TestService;
let admin: TestClient;
let ann: UserWithGrants;
let roleId: string;

withService(async (started) => {
  service = started;
  admin = await service.admin();
  ann = await userWith(service, admin, 'ann');
  roleId = (await createRole(admin, 'team-red')).id;
  await admin.post(`/api/role/${roleId}/users`, { user_ids: [ann.id] });
});

const preview = ({ id }: Registered, body: object = {}, by = admin, language = 'en'): Promise<Answer<Preview>> =>
  by.post<Preview>(`/api/oauth/client/${id}/preview?lang=${language}`, { user_id: ann.id, ...body });

describe('preview', () => {
  it('shows the very claims of the tokens, with reasons', async () => {
    const client = await register(admin, { scopes: SCOPES, claims: CLAIMS, id_token_claims: true });
    const { status, body } = await preview(client);
    expect([status, body]).toEqual([
      200,
      {
        allowed: true,
        reason: 'Every user may use this application.',
        id_token: [
          { name: 'sub', value: ann.id, reason: 'Always: the ID of the user' },
          { name: 'groups', value: ['team-red'], reason: 'Roles of the user that begin with team-' },
          { name: 'tenant', value: 'acme', reason: 'Constant' },
        ],
        userinfo: [
          { name: 'sub', value: ann.id, reason: 'Always: the ID of the user' },
          { name: 'groups', value: ['team-red'], reason: 'Roles of the user that begin with team-' },
        ],
        access_token: [
          { name: 'sub', value: ann.id, reason: 'Always: the ID of the user' },
          { name: 'tenant', value: 'acme', reason: 'Constant' },
        ],
      },
    ]);
    const config = await relyingParty(() => service, client);
    const tokens = await logInAt(config, ann.client, { scope: SCOPES.join(' ') });
    expect(tokens.claims()).toMatchObject(Object.fromEntries(body.id_token.map(({ name, value }) => [name, value])));
  });

  it('shows only the claims of the scopes', async () => {
    const client = await register(admin, { scopes: ['openid', 'profile', 'permissions'], claims: CLAIMS });
    const { body } = await preview(client, { scopes: ['openid', 'profile'] });
    expect(body.reason).toContain('only with the scope “permissions”');
    expect(body.id_token.map(({ name }) => name)).toEqual(['sub']);
    expect(body.userinfo).toContainEqual({ name: 'preferred_username', value: 'ann', reason: 'Scope profile' });
    expect((await preview(client, { scopes: ['permissions'] })).body.id_token).toEqual([]);
  });

  it('says who is admitted, and why', async () => {
    const reasonFor = async (access: object): Promise<unknown> => {
      const { body } = await preview(await register(admin, { access: { mode: 'restricted', ...access } }));
      return [body.allowed, body.reason, body.userinfo.length > 0];
    };
    expect(await reasonFor({ role_ids: [roleId] })).toEqual([true, 'Has the role iam:team-red.', true]);
    expect(await reasonFor({ user_ids: [ann.id] })).toEqual([
      true,
      "The user is named in the application's access.",
      true,
    ]);
    expect(await reasonFor({})).toEqual([false, expect.stringContaining('admits neither'), false]);
  });

  it('says that the account or the client is disabled, in the language of the caller', async () => {
    const client = await register(admin);
    const off = await userWith(service, admin, 'off');
    await admin.patch(`/api/user/${off.id}`, { status: 'disabled' });
    const { body } = await preview(client, { user_id: off.id }, admin, 'zh');
    expect(body).toMatchObject({ allowed: false, reason: '该账号已停用。', userinfo: [] });
    await admin.patch(`/api/oauth/client/${client.id}`, { enabled: false });
    expect((await preview(client)).body).toMatchObject({ allowed: false, reason: 'The application is disabled.' });
  });

  it('shows references of tokens, and the claims at userinfo', async () => {
    const claims = [{ name: 'motto', from: 'roles', in: ['id_token'] }];
    const client = await register(admin, { first_party: true, claims });
    const names = Array.from({ length: 250 }, (_, index) => `large-${'x'.repeat(30)}-${index}`);
    const big = await userWith(service, admin, 'big');
    await service.query(
      `WITH made AS (INSERT INTO role (id, scope, name) SELECT gen_random_uuid(), 'iam', name
         FROM unnest($1::text[]) AS wanted (name) RETURNING id)
       INSERT INTO user_role (user_id, role_id) SELECT $2, id FROM made`,
      [names, big.id],
    );
    const { body } = await preview(client, { user_id: big.id });
    expect(body.id_token.map(({ name }) => name)).toEqual(['sub', '_claim_names', '_claim_sources']);
    expect(body.userinfo.find(({ name }) => name === 'motto')?.reason).toContain('Too large for a token');
  });

  it.each<[object, string]>([
    [{ user_id: randomUUID() }, 'user_id unknown_user'],
    [{ user_id: 'ann' }, 'user_id id'],
    [{ scopes: ['openid', 'phone'] }, 'scopes[1] client_scope'],
  ])('is rejected with %j', async (body, problem) => {
    const { status, body: answer } = await preview(await register(admin), body);
    expect([status, answer.errors?.map(({ field, code }) => `${field} ${code}`)]).toEqual([400, [problem]]);
  });
});

describe('the right to a preview', () => {
  const outcome = async (client: Registered, by: TestClient): Promise<unknown> => {
    const { status, body } = await preview(client, {}, by);
    return status === 200 ? 200 : [status, body.code, body.params?.['permission']];
  };

  it('belongs to the owner with user:admin and to a holder of everything', async () => {
    const owner = await userWith(service, admin, 'owner', 'oauth_client:create');
    const client = await register(owner.client, { scopes: ['openid'] });
    expect(await outcome(client, owner.client)).toEqual([403, 'permission_denied', 'user:admin']);
    await admin.patch(`/api/user/${owner.id}/permissions`, { add: [{ permission_id: 'user:admin' }] });
    expect(await outcome(client, owner.client)).toBe(200);
    expect(await outcome(client, admin)).toBe(200);
  });

  it('needs more than reading clients and users', async () => {
    const client = await register(admin);
    const reader = await userWith(service, admin, 'reader', 'oauth_client:read', 'user:admin');
    expect(await outcome(client, reader.client)).toEqual([403, 'permission_denied', '*:*']);
    const stranger = await userWith(service, admin, 'stranger', 'user:admin');
    expect(await outcome(client, stranger.client)).toEqual([404, 'not_found', undefined]);
  });
});
