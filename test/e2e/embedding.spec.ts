import 'reflect-metadata';
import { Body, Controller, Get, Injectable, Module, Post } from '@nestjs/common';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { IdentityModule } from '../../src/identity.module';
import { installHttp } from '../../src/install-http';
import { CurrentCaller, RequirePermission, ServiceController, Authenticated } from '../../src/platform/access';
import type { Caller } from '../../src/platform/context';
import { createLogger, PinoLog } from '../../src/platform/logging';
import { OnUserCreate } from '../../src/users';
import type { UserCreated } from '../../src/users';
import { createHost } from '../support/host-app';
import { TestClient } from '../support/test-client';
import { createTestDatabase, TestDatabase } from '../support/test-database';
import { ADMIN, PASSWORD, TEST_KEYS } from '../support/test-service';

const welcomed: string[] = [];

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

async function startHost(database: TestDatabase): Promise<NestFastifyApplication> {
  const identity = IdentityModule.forRoot({
    environment: {
      NODE_ENV: 'test',
      ENCRYPTION_KEYS: TEST_KEYS,
      ADMIN_PASSWORD: ADMIN.password,
      ...(database.url !== undefined && { DATABASE_URL: database.url }),
    },
    log: new PinoLog(createLogger({ level: 'silent', format: 'json' })),
    ...(database.embedded && { embeddedDatabase: database.embedded }),
  });

  @Module({ imports: [identity], controllers: [ShopController, OwnController], providers: [Welcome] })
  class HostModule {}

  const app = await createHost(HostModule);
  installHttp(app);
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  return app;
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
    const unknown = await app.inject({ method: 'GET', url: '/own/nothing' });
    expect(unknown.json()).toMatchObject({ statusCode: 404, message: 'Cannot GET /own/nothing' });
  });
});
