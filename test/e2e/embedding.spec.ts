import 'reflect-metadata';
import { Body, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IdenticonGenerator } from '../../src/users/avatars';
import { IdentityModule } from '../../src/identity/identity.module';
import { CurrentCaller, RequirePermission, ServiceController, Authenticated } from '../../src/platform/access';
import type { Caller } from '../../src/platform/context';
import { QuickHasher } from '../../src/testing/quick-hasher';
import { OnUserCreate, UserEventsService } from '../../src/users';
import type { UserCreated } from '../../src/users';
import { identityOptions, startModule } from '../support/hosts/host-app';
import { Answer, TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN, PASSWORD } from '../support/service/test-service';

const welcomed: string[] = [];
const notified: UserCreated[] = [];
const failing = new Set<string>();
const logLines: string[] = [];

interface Registered {
  readonly user: { readonly id: string };
}

@ServiceController('shop')
class ShopController {
  @Get('basket')
  @Authenticated()
  basket(@CurrentCaller() caller: Caller): { owner: string } {
    return { owner: caller.username };
  }

  @Get('orders')
  @RequirePermission('shop:order:read')
  orders(): object {
    return { items: [] };
  }
}

@Controller('own')
class OwnController {
  @Get()
  show(): string {
    return 'untouched';
  }

  @Post()
  echo(@Body() body: unknown): unknown {
    return body;
  }
}

@Injectable()
class Welcome {
  @OnUserCreate()
  greet({ username }: UserCreated): void {
    welcomed.push(username);
  }
}

/** Any provider of the host may listen. */
@Injectable()
class HostProvider extends IdenticonGenerator {
  @OnUserCreate()
  async note(event: UserCreated): Promise<void> {
    if (failing.has(event.username)) throw new Error('the listener is broken');
    await Promise.resolve();
    notified.push(event);
  }
}

function startHost(database: TestDatabase): Promise<NestFastifyApplication> {
  const options = identityOptions(database, (line) => {
    logLines.push(line);
  });
  const extensions = { avatarGenerator: HostProvider, passwordHasher: QuickHasher };

  @Module({
    imports: [IdentityModule.forRoot({ ...options, extensions })],
    controllers: [ShopController, OwnController],
    providers: [Welcome],
  })
  class HostModule {}

  return startModule(HostModule);
}

describe('IdentityModule in a host application', () => {
  let database: TestDatabase;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startHost(database);
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const logIn = async (username: string, password: string): Promise<TestClient> => {
    const client = new TestClient(app);
    const answer = await client.post('/api/auth/login', { type: 'password', username, password });
    expect(answer.status).toBe(200);
    return client;
  };

  it('guards a controller of the host, with permissions of the host’s own scopes', async () => {
    const anonymous = new TestClient(app);
    expect((await anonymous.get('/shop/basket')).status).toBe(401);
    expect((await anonymous.post('/api/auth/register', { username: 'ann', password: PASSWORD })).status).toBe(201);
    const ann = await logIn('ann', PASSWORD);
    expect((await ann.get('/shop/basket')).body).toEqual({ owner: 'ann' });
    const rejected = await ann.get<{ code: string; params: object }>('/shop/orders');
    expect(rejected.body).toMatchObject({
      code: 'permission_denied',
      params: { permission: 'order:read', scope: 'shop' },
    });
    const admin = await logIn(ADMIN.username, ADMIN.password);
    expect((await admin.get('/shop/orders')).status).toBe(200);
  });

  it('notifies the host of new users', async () => {
    await new TestClient(app).post('/api/auth/register', { username: 'told', password: PASSWORD });
    expect(welcomed).toContain('told');
  });

  it('leaves the other routes of the host unchanged', async () => {
    const shown = await app.inject({ method: 'GET', url: '/own' });
    expect([shown.statusCode, shown.payload]).toEqual([200, 'untouched']);
    expect(shown.headers).not.toHaveProperty('content-security-policy');
    const form = await app.inject({
      method: 'POST',
      url: '/own?any=thing',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://elsewhere.example' },
      payload: 'a=1',
    });
    expect([form.statusCode, form.json()]).toEqual([201, { a: '1' }]);
    for (const url of ['/own/nothing', '/nope', '/login/', '/account/', '/.well-known/change-password']) {
      const unknown = await app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
      expect(unknown.json()).toMatchObject({ statusCode: 404, message: `Cannot GET ${url}` });
    }
  });

  describe('@OnUserCreate()', () => {
    const register = (username: string): Promise<Answer<Registered>> =>
      new TestClient(app).post<Registered>('/api/auth/register', { username, password: PASSWORD });
    const events = (): UserEventsService => app.get(UserEventsService, { strict: false });
    const warnings = (userId: string): string[] =>
      logLines.filter((line) => line.includes('user.created') && line.includes(userId));

    it('passes the new user after the commit and before the response', async () => {
      const answer = await register('hooked');
      const hooked = notified.filter(({ username }) => username === 'hooked');
      expect(hooked).toEqual([{ userId: answer.body.user.id, username: 'hooked', source: 'register' }]);
    });

    it('passes the first administrator, whom the start creates', () => {
      const first = notified.filter(({ username }) => username === ADMIN.username);
      expect(first).toEqual([{ userId: expect.any(String) as string, username: ADMIN.username, source: 'operator' }]);
      expect(welcomed).toContain(ADMIN.username);
    });

    it('sees the committed user', async () => {
      const seen: unknown[] = [];
      events().onUserCreate(async ({ userId }) => {
        seen.push(...(await database.query('SELECT id FROM user_account WHERE id = $1', [userId])));
      });
      const answer = await register('committed');
      expect(seen).toEqual([{ id: answer.body.user.id }]);
    });

    it.each<[string, () => unknown]>([
      [
        'throws',
        () => {
          throw new Error('staged');
        },
      ],
      ['rejects', () => Promise.reject(new Error('staged'))],
    ])('changes nothing when it %s, and logs a warning', async (how, listener) => {
      const username = `because_it_${how.replaceAll(' ', '_')}`;
      events().onUserCreate((event) => (event.username === username ? listener() : undefined));
      failing.add(username);
      const answer = await register(username);
      expect(answer.status).toBe(201);
      expect(warnings(answer.body.user.id)).toHaveLength(2);
      await logIn(username, PASSWORD);
    });

    it('is awaited for two seconds at most, even when it rejects later', async () => {
      const late: (() => void)[] = [];
      events().onUserCreate(({ username }) => {
        if (username !== 'patient') return undefined;
        return new Promise((_, reject) => {
          late.push(() => {
            reject(new Error('too late'));
          });
        });
      });
      const begun = performance.now();
      const answer = await register('patient');
      const took = performance.now() - begun;
      expect(answer.status).toBe(201);
      expect(took).toBeGreaterThan(1_900);
      expect(took).toBeLessThan(3_500);
      expect(warnings(answer.body.user.id)).toHaveLength(1);
      late.forEach((reject) => {
        reject();
      });
      expect((await new TestClient(app).get('/health/live')).status).toBe(200);
    });
  });
});
