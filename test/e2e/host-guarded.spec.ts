import 'reflect-metadata';
import { Controller, Get, Injectable, Module, Post, Req, SetMetadata, Type } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import {
  AuditApi,
  Authenticated,
  contextOf,
  CurrentCaller,
  defineProblem,
  IdentityGuarded,
  IdentityModule,
  InOrganization,
  installHttp,
  PermissionsApi,
  Public,
  RequirePermission,
  SessionsApi,
  UsersApi,
} from '../../src';
import type { Caller } from '../../src';
import { eventually } from '../support/service/eventually';
import { externalHandler } from '../support/hosts/external-handlers';
import { createHost, identityOptions } from '../support/hosts/host-app';
import { Problem, TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { PASSWORD } from '../support/service/test-service';

const garageClosed = defineProblem('garage_closed', { status: 409, en: 'The garage is closed.', zh: '车库已关闭。' });

/** The parameter decorators of @nestjs/graphql and @nestjs/websockets are left out: both run handlers by this class of Nest. */
const Resolver = (kind: string) => SetMetadata('graphql:resolver_type', kind);
const SubscribeMessage = () => SetMetadata('websockets:message_mapping', true);

@Controller('garage')
@IdentityGuarded()
class GarageController {
  constructor(private readonly audit: AuditApi) {}

  @Get('open')
  @Public()
  open(): object {
    return { open: true };
  }

  @Get('cars')
  @RequirePermission('garage:car:read')
  cars(@CurrentCaller() { username }: Caller): object {
    return { username };
  }

  @Get('shared-cars')
  @RequirePermission('garage:car:read')
  @InOrganization()
  sharedCars(@Req() request: FastifyRequest): object {
    return { organization: contextOf(request).organizationId ?? null };
  }

  @Post('cars')
  @Authenticated()
  async park(@CurrentCaller() caller: Caller): Promise<object> {
    await this.audit.record({ action: 'garage.park' }, { by: caller });
    return {};
  }

  @Post('closed')
  @Authenticated()
  close(): never {
    throw garageClosed();
  }
}

@Injectable()
@IdentityGuarded()
class Cars {
  @Resolver('Query')
  @RequirePermission('garage:car:read')
  mine(@CurrentCaller() { username }: Caller): string {
    return username;
  }

  @SubscribeMessage()
  @Authenticated()
  honk(@CurrentCaller() { username }: Caller): string {
    return `${username} honks`;
  }
}

interface Socket {
  readonly request: object;
  readonly sent: [string, { code?: string; detail?: string }][];
  emit(event: string, message: { code?: string }): void;
}

describe('@IdentityGuarded()', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;
  let ann: TestClient;
  let annId: string;

  const moduleOf = (controllers: Type[], providers: Type[]): Type => {
    @Module({ imports: [IdentityModule.forRoot(identityOptions(database))], controllers, providers })
    class HostModule {}
    return HostModule;
  };

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await createHost(moduleOf([GarageController], [Cars]));
    installHttp(app);
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    const { id } = await app.get(UsersApi).create({ username: 'ann', password: PASSWORD, mustChangePassword: false });
    annId = id;
    ann = new TestClient(app);
    await ann.post('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const grant = () => app.get(PermissionsApi).grant(annId, [{ permission: 'garage:car:read' }]);
  const revoke = () => app.get(PermissionsApi).revoke(annId, ['garage:car:read']);
  afterEach(() => revoke());

  const send = async (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ method, url, headers: { cookie: ann.cookie, ...headers } });
    const { code, detail } = answer.json<Problem>();
    return { status: answer.statusCode, ...(answer.statusCode < 400 ? {} : { code, detail }) };
  };

  it('guards a plain controller, whose errors are problems in the language of the request', async () => {
    expect(await send('GET', '/garage/open', { cookie: '' })).toEqual({ status: 200 });
    expect(await send('GET', '/garage/cars', { cookie: '' })).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(await send('GET', '/garage/cars')).toMatchObject({ status: 403, code: 'permission_denied' });
    await grant();
    expect((await app.inject({ url: '/garage/cars', headers: { cookie: ann.cookie } })).json()).toEqual({
      username: 'ann',
    });
    expect(await send('POST', '/garage/closed', { 'accept-language': 'zh' })).toEqual({
      status: 409,
      code: 'garage_closed',
      detail: '车库已关闭。',
    });
  });

  it('reads the organization of the header under @InOrganization() only', async () => {
    await grant();
    const unknown = { 'x-organization-id': '01900000-0000-7000-8000-00000000dead' };
    expect(await send('GET', '/garage/open', unknown)).toEqual({ status: 200 });
    expect(await send('GET', '/garage/cars', unknown)).toEqual({ status: 200 });
    expect(await send('GET', '/garage/shared-cars')).toEqual({ status: 200 });
    expect(await send('GET', '/garage/shared-cars', unknown)).toMatchObject({ status: 404, code: 'not_found' });
    const [{ id = '' } = {}] = await database.query<{ id?: string }>(
      `INSERT INTO organization (id, slug, name, name_key) VALUES (gen_random_uuid(), 'club', 'Club', 'club') RETURNING id`,
    );
    await database.query('INSERT INTO organization_member (organization_id, user_id) VALUES ($1, $2)', [id, annId]);
    const headers = { cookie: ann.cookie, 'x-organization-id': id };
    const answer = await eventually(
      () => app.inject({ url: '/garage/shared-cars', headers }),
      ({ statusCode }) => statusCode === 200,
    );
    expect(answer.json()).toEqual({ organization: id });
  });

  it('rejects requests of other origins to a plain controller', async () => {
    const foreign = { origin: 'https://evil.example' };
    expect(await send('POST', '/garage/cars', foreign)).toMatchObject({ status: 403, code: 'csrf_rejected' });
  });

  it('names the caller in the audit of what a handler does', async () => {
    expect(await send('POST', '/garage/cars')).toEqual({ status: 201 });
    const [row] = await database.query(`SELECT actor_name, request_id FROM audit_event WHERE action = 'garage.park'`);
    expect(row).toEqual({ actor_name: 'ann', request_id: expect.any(String) as string });
  });

  /** Runs a method of `Cars` as @nestjs/graphql and @nestjs/websockets do. */
  const runner = (method: 'mine' | 'honk', type: 'graphql' | 'ws') => externalHandler(app, app.get(Cars), method, type);

  it('guards a resolver by the request in the GraphQL context', async () => {
    const mine = runner('mine', 'graphql');
    const by = (cookie: string, method = 'GET') => {
      const raw = { headers: { cookie, host: 'localhost', origin: 'https://evil.example' }, socket: {} };
      const req = { raw, headers: raw.headers, method, query: {}, routeOptions: { config: {} } };
      return mine({}, {}, { req }, {}) as Promise<{ extensions?: object }>;
    };
    expect((await by('')).extensions).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect((await by(ann.cookie)).extensions).toMatchObject({ status: 403, params: { permission: 'car:read' } });
    expect((await by(ann.cookie, 'POST')).extensions).toMatchObject({ code: 'csrf_rejected' });
    await grant();
    expect(await by(ann.cookie)).toBe('ann');
  });

  const socketOf = (cookie: string, origin = 'http://localhost'): Socket => {
    const headers = { cookie, host: 'localhost', origin };
    const sent: Socket['sent'] = [];
    return {
      request: { headers, socket: {}, url: '/' },
      sent,
      emit: (event, message) => void sent.push([event, message]),
    };
  };

  it('checks each message of a socket by the session of its handshake', async () => {
    const honk = runner('honk', 'ws');
    const other = new TestClient(app);
    await other.post('/api/auth/login', { type: 'password', username: 'ann', password: PASSWORD });
    const socket = socketOf(other.cookie);
    expect(await honk(socket, {})).toBe('ann honks');
    // As if the access token had expired.
    (socket.request as { headers: { cookie: string } }).headers.cookie = '';
    expect(await Promise.all([honk(socket, {}), honk(socket, {})])).toEqual(['ann honks', 'ann honks']);

    const me = await other.get<{ session: { id: string } }>('/api/auth/me');
    const sessions = await app.get(SessionsApi).list(annId);
    expect(me.status).toBe(200);
    await app.get(SessionsApi).revoke(annId, sessions[0]!.id);
    await eventually(
      async () => (await honk(socket, {}), socket.sent.length),
      (count) => count > 0,
    );
    expect(socket.sent[0]).toMatchObject(['exception', { code: 'session_revoked' }]);
  });

  it('rejects sockets of other origins, with each message, and those without a session', async () => {
    const honk = runner('honk', 'ws');
    const foreign = socketOf(ann.cookie, 'https://evil.example');
    await honk(foreign, {});
    await honk(foreign, {});
    expect(foreign.sent.map(([, { code }]) => code)).toEqual(['csrf_rejected', 'csrf_rejected']);
    const anonymous = socketOf('');
    await honk(anonymous, {});
    expect(anonymous.sent).toMatchObject([['exception', { code: 'unauthenticated', detail: 'Log in to continue.' }]]);
  });

  it('ends the start for a handler without a policy', async () => {
    @Injectable()
    @IdentityGuarded()
    class Bare {
      @SubscribeMessage()
      honk(): void {}
    }
    const bare = await createHost(moduleOf([], [Bare]));
    try {
      installHttp(bare);
      await expect(bare.init()).rejects.toThrow('Routes without an access policy: Bare.honk');
    } finally {
      await bare.close();
    }
  });
});
