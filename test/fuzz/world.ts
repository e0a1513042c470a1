import type { LightMyRequestResponse } from 'fastify';
import { rateLimitsEnabled } from '../../src/platform/http';
import { Scheduler } from '../../src/platform/jobs';
import { lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { createTree } from '../support/accounts/groups';
import { createRole, userWith, systemRole } from '../support/accounts/holders';
import { basic, post, register, Registered } from '../support/oauth/oauth';
import { testMessages } from '../support/receivers/test-messages';
import { freshAddress, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import type { Operation } from './api';
import { Changes } from './changes';
import type { Actor, FuzzRequest } from './requests';
import type { Words } from './values';

const AUDIENCE = 'urn:castellan:iam';
const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

/** Ids by the prefix of the address that uses them. */
type Ids = Readonly<Record<string, readonly string[]>>;

/** A service with a user and an object of every kind. */
export class World {
  private turn = 0;
  private readonly clients = new Map<Actor, TestClient>();

  private constructor(
    readonly service: TestService,
    readonly changes: Changes,
    private readonly machine: Registered,
    private readonly ids: Ids,
    private readonly words: Words,
  ) {}

  static async start(): Promise<World> {
    const service = await TestService.start({ identity: { extensions: testMessages.extensions } });
    await service.set(rateLimitsEnabled, false);
    await service.set(lockoutThreshold, 100);
    const admin = await service.admin();
    const { machine, ids } = await furnish(service, admin);
    const keys = (await admin.get<{ items: { key: string }[] }>('/api/setting')).body.items.map(({ key }) => key);
    return new World(service, await Changes.record(service), machine, ids, wordsOf(ids, keys));
  }

  /** Meaningful values for the parameters of this route. */
  wordsFor({ path }: Operation): Words {
    const prefix = Object.keys(this.ids).find((one) => path.startsWith(one));
    const own = prefix === undefined ? [] : (this.ids[prefix] ?? []);
    return { ...this.words, id: [...own, UNKNOWN_ID] };
  }

  /** New sessions for all users. Previous ones may be revoked, or too old for routes that require a recent login. */
  async logIn(): Promise<void> {
    const username = `fuzzer${++this.turn}`;
    this.clients.set('user', await this.service.signUp(username));
    this.clients.set('administrator', await this.service.admin());
    const form = { grant_type: 'client_credentials', scope: 'permission:read', resource: AUDIENCE };
    const { body } = await post(this.service, '/api/oauth/token', form, basic(this.machine));
    const bearer = this.service.client();
    bearer.jar.set('bearer', String(body['access_token']));
    this.clients.set('machine', bearer);
    await this.changes.taken();
  }

  private identityOf(actor: Actor): Record<string, string> {
    const client = this.clients.get(actor);
    if (!client) return {};
    const bearer = client.jar.get('bearer');
    return bearer === undefined ? { cookie: client.cookie } : { authorization: `Bearer ${bearer}` };
  }

  /** Also waits for what the request has left to do, such as a code that is stored after the response. */
  async send(operation: Operation, { actor, url, headers, payload }: FuzzRequest): Promise<LightMyRequestResponse> {
    const answer = await this.service.app.inject({
      method: operation.method as 'GET',
      url,
      remoteAddress: '127.0.0.1',
      headers: { 'x-forwarded-for': freshAddress(), ...this.identityOf(actor), ...headers },
      ...(payload !== undefined && { payload }),
    });
    await this.service.app.get(Scheduler).idle();
    return answer;
  }
}

async function furnish(service: TestService, admin: TestClient): Promise<{ machine: Registered; ids: Ids }> {
  const victim = await userWith(service, admin, 'victim', 'report:read');
  const other = await userWith(service, admin, 'bystander');
  const role = await createRole(admin, 'readers', 'report:read');
  const tree = await createTree(admin, 'Above', 'Below');
  const serviceClient = await register(admin, {
    redirect_uris: [],
    grant_types: ['client_credentials'],
    scopes: ['permission:read'],
  });
  const app = await register(admin);
  const provider = { name: 'gh', label: 'GitHub', template: 'github', client_id: 'id', client_secret: 'a secret text' };
  const made = await admin.post<{ id: string }>('/api/oauth/provider', provider);
  const system = await systemRole(admin, 'user');
  const { body } = await victim.client.get<{ items: { id: string }[] }>('/api/auth/sessions');
  return {
    machine: serviceClient,
    ids: {
      '/api/role': [role.id, system.id],
      '/api/group': tree.map(({ id }) => id),
      '/api/user': [victim.id, other.id],
      '/api/oauth/client': [app.id],
      '/api/oauth/provider': [made.body.id],
      '/api/auth/sessions': body.items.map(({ id }) => id),
      '/api/oauth/consent': [app.client_id],
    },
  };
}

const of = (ids: Ids, prefix: string): readonly string[] => ids[prefix] ?? [];

function wordsOf(ids: Ids, keys: readonly string[]): Words {
  const users = of(ids, '/api/user');
  const roles = of(ids, '/api/role');
  return {
    user_id: users,
    user_ids: users,
    ids: users,
    actor_id: users,
    role_id: roles,
    role_ids: roles,
    group_ids: of(ids, '/api/group'),
    parent_id: of(ids, '/api/group'),
    sid: of(ids, '/api/auth/sessions'),
    client_id: of(ids, '/api/oauth/consent'),
    key: keys,
    // Excludes the password, which all users log in with.
    type: ['email', 'sms', 'passkey'],
    channel: ['email', 'sms'],
    purpose: ['login', 'register', 'reset_password', 'bind'],
    locale: ['en', 'zh'],
    scope: ['iam', 'shop', '*'],
    permission_id: ['report:read', 'role:update', '*', 'shop:item:read'],
    username: ['victim', 'bystander', 'somebody'],
    name: ['gh'],
    file: ['seed.svg'],
    uid: ['abc'],
    email: ['victim@example.com'],
    target: ['victim@example.com', '+8613800138000'],
    phone: ['+8613800138000'],
    password: [PASSWORD],
    code: ['123456'],
    template: ['github', 'google', 'oidc'],
    grant_type: ['client_credentials', 'authorization_code', 'refresh_token'],
    version: [0, 1],
    redirect_uris: ['https://app.example.com/callback'],
  };
}
