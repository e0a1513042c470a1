import 'reflect-metadata';
import { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { Database } from '../../src/platform/database';
import { expectProblem } from '../support/service/expect-problem';
import { ImportOrder, ShopListener, startPackageHost } from '../support/hosts/package-host';
import { Problem, TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN, PASSWORD } from '../support/service/test-service';

type Headers = Record<string, string>;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Decoded header of a token. */
const headOf = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());

describe.each<[ImportOrder]>([['before'], ['after']])('service imported %s the host’s packages', (order) => {
  let database: TestDatabase;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    database = await createTestDatabase();
    app = await startPackageHost(database, order);
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const get = async (url: string, headers: Headers = {}): Promise<Answer> => {
    const { statusCode, payload } = await app.inject({ method: 'GET', url, headers });
    return { status: statusCode, body: JSON.parse(payload) };
  };

  const post = async (url: string, body: object): Promise<Answer> => {
    const { statusCode, payload } = await app.inject({ method: 'POST', url, payload: body });
    return { status: statusCode, body: JSON.parse(payload) };
  };

  const register = async (username: string): Promise<TestClient> => {
    const client = new TestClient(app);
    const { status } = await client.post('/api/auth/register', { username, password: PASSWORD });
    expect(status).toBe(201);
    await client.post('/api/auth/login', { type: 'password', username, password: PASSWORD });
    return client;
  };

  describe('host', () => {
    it('keeps the unnamed data source with only its own entities', async () => {
      expect(await post('/shop/products', { name: 'tea', price: 3 })).toEqual({
        status: 201,
        body: { data: { name: 'tea', price: 3 } },
      });
      expect(await get('/shop/products')).toEqual({
        status: 200,
        body: { data: { names: ['tea'], tables: ['shop_product'] } },
      });
    });

    it('validates its input with its own pipe', async () => {
      expect(await post('/shop/products', { name: 'coffee', price: 3, free: true })).toMatchObject({
        status: 400,
        body: {
          message: ['property free should not exist', 'name must be shorter than or equal to 5 characters'],
        },
      });
    });

    it('words its responses with its own texts, in the language that its own resolvers find', async () => {
      expect((await get('/shop/hello')).body).toEqual({
        data: { lang: 'en', greeting: 'The shop greets Ann', notFound: 'Sold out' },
      });
      expect((await get('/shop/hello?lang=zh')).body).toEqual({
        data: { lang: 'zh', greeting: '商店欢迎Ann', notFound: '已售完' },
      });
    });

    it('receives its own event once', async () => {
      const listener = app.get(ShopListener);
      expect((await post('/shop/orders', { id: 7 })).body).toEqual({ data: { reached: true } });
      expect(listener.heard.filter(([event]) => event === 'order.created')).toEqual([['order.created', { id: 7 }]]);
    });

    it('is notified of a new user once by the decorator, and its emitter gets no event of the service', async () => {
      const listener = app.get(ShopListener);
      await register('heard_of');
      expect(listener.heard.filter(([event]) => event !== 'order.created')).toEqual([
        ['@OnUserCreate', ADMIN.username],
        ['@OnUserCreate', 'heard_of'],
      ]);
      expect(listener.carried.filter((event) => event !== 'order.created')).toEqual([]);
    });

    it('authenticates with its own passport strategy', async () => {
      expect(await get('/shop/partner', { 'x-api-key': 'key of the shop' })).toEqual({
        status: 200,
        body: { data: { name: 'the shop' } },
      });
      expect(await get('/shop/partner')).toEqual({ status: 401, body: { message: 'Unauthorized', statusCode: 401 } });
    });

    it('answers its unknown routes itself', async () => {
      expect(await get('/shop/nothing')).toEqual({
        status: 404,
        body: { message: 'Cannot GET /shop/nothing', error: 'Not Found', statusCode: 404 },
      });
    });

    it('signs with its own secret', async () => {
      const { body } = (await get('/shop/token')) as { body: { data: { token: string } } };
      expect(headOf(body.data.token)).toEqual({ alg: 'HS256', typ: 'JWT' });
    });
  });

  describe('service', () => {
    it('stores users with all its packages beside the host’s users', async () => {
      const ann = await register(`ann_${order}`);
      expect((await ann.get<{ username: string }>('/api/auth/me')).body.username).toBe(`ann_${order}`);
      expect((await ann.post('/api/auth/refresh')).status).toBe(200);
    });

    it('validates its input with its own rules and words it with its own texts', async () => {
      const rejected = await new TestClient(app).post<Problem>('/api/auth/register?lang=zh', {
        username: 'x',
        free: 1,
      });
      expect(rejected.body.errors?.map(({ field, code }) => [field, code])).toEqual([
        ['free', 'unknown_field'],
        ['username', 'min_length'],
        ['password', 'required'],
      ]);
      expect(rejected.body.detail).toMatch(/\p{Script=Han}/u);
      expectProblem(await get('/api/auth/nothing'), 404, 'not_found');
    });

    it('responds without the interceptor that the host set for all routes', async () => {
      expect((await get('/api/info')).body).not.toHaveProperty('data');
      const client = await register(`plain_${order}`);
      expect((await client.get('/api/auth/me')).body).toMatchObject({ username: `plain_${order}` });
    });

    it('rejects a token that the host signed', async () => {
      const { body } = (await get('/shop/token')) as { body: { data: { token: string } } };
      const rejected = await get('/api/auth/me', { authorization: `Bearer ${body.data.token}` });
      expectProblem(rejected, 401, 'unauthenticated');
    });

    it('signs with its own keys', async () => {
      const client = await register(`signs_${order}`);
      const token = /(?:^|; )[^=]*access[^=]*=([^;]+)/.exec(client.cookie)?.[1] ?? '';
      expect(headOf(token)).toMatchObject({ alg: 'ES256' });
      const { body } = (await get('/.well-known/jwks.json')) as { body: { keys: { kid: string }[] } };
      expect(body.keys.map(({ kid }) => kid)).toContain((headOf(token) as { kid: string }).kid);
    });
  });

  it('close both data sources', async () => {
    const other = await createTestDatabase();
    const second = await startPackageHost(other, order);
    const sources = [second.get(DataSource, { strict: false }), second.get(Database).dataSource];
    expect(sources.map(({ isInitialized }) => isInitialized)).toEqual([true, true]);
    await second.close();
    expect(sources.map(({ isInitialized }) => isInitialized)).toEqual([false, false]);
    await other.drop();
  });
});
