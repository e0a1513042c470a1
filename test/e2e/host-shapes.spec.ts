import 'reflect-metadata';
import { VersioningType } from '@nestjs/common';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { identityOptions, startHost } from '../support/hosts/host-app';
import { Problem, TestClient } from '../support/service/test-client';
import { createTestDatabase, TestDatabase } from '../support/service/test-database';
import { ADMIN } from '../support/service/test-service';
import { expectProblem } from '../support/service/expect-problem';

const PAGE = 'https://page-of-the-host.example';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

describe('service in a host with another configuration', () => {
  const hosts: NestFastifyApplication[] = [];

  afterEach(async () => {
    for (const app of hosts.splice(0)) await app.close();
  });

  const start = async (
    ...shape: Parameters<typeof startHost> extends [unknown, ...infer Rest] ? Rest : never
  ): Promise<NestFastifyApplication> => {
    const app = await startHost(identityOptions(database), ...shape);
    hosts.push(app);
    return app;
  };

  it('keeps its rules behind a global prefix', async () => {
    const app = await start({ prepare: (created) => created.setGlobalPrefix('v2') });
    const client = new TestClient(app);
    expectProblem(await client.get<Problem>('/v2/api/auth/me'), 401, 'unauthenticated');
    expectProblem(await client.get<Problem>('/v2/api/auth/nothing'), 404, 'not_found');
    const forged = await client.post<Problem>('/v2/api/auth/login', {}, { headers: { origin: PAGE } });
    expectProblem(forged, 403, 'csrf_rejected');
    expect((await app.inject({ method: 'GET', url: '/v2/nothing' })).json()).toEqual({
      host_filter: 'Cannot GET /v2/nothing',
    });
  });

  it('gives providers and pages the prefixed addresses', async () => {
    const app = await start({ prepare: (created) => created.setGlobalPrefix('v2') });
    const admin = new TestClient(app);
    await admin.post('/v2/api/auth/login', { type: 'password', ...ADMIN });
    const provider = { name: 'hub', label: 'Hub', template: 'github', client_id: 'id', client_secret: 'secret' };
    const made = await admin.post<{ id: string; callback_url: string }>('/v2/api/oauth/provider', provider);
    expect(made.body.callback_url).toBe('http://localhost/v2/api/oauth/callback/hub');
    const doctor = await admin.get<{ redirect_uris: unknown[] }>('/v2/api/doctor');
    expect(doctor.body.redirect_uris).toEqual([{ provider: 'hub', uri: made.body.callback_url }]);
    const { body } = await admin.get<{ oauth_providers: { login_url: string }[] }>('/v2/api/info');
    const begun = await new TestClient(app).get(body.oauth_providers[0]!.login_url);
    const sent = new URL(String(begun.headers['location']));
    expect(sent.searchParams.get('redirect_uri')).toBe(made.body.callback_url);
    await admin.delete(`/v2/api/oauth/provider/${made.body.id}`);
  });

  it('keeps its addresses when the host enables URI versioning', async () => {
    const app = await start({
      prepare: (created) => created.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }),
    });
    expectProblem(await new TestClient(app).get<Problem>('/api/auth/me'), 401, 'unauthenticated');
    expect((await app.inject({ method: 'GET', url: '/v1/api/products' })).statusCode).toBe(200);
  });

  it('keeps its rules for every spelling that a lenient router accepts', async () => {
    const routerOptions = { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true };
    const app = await start({ adapter: new FastifyAdapter({ routerOptions }) });
    for (const path of ['/API/AUTH/ME', '//api///auth/me', '/api/auth/me/', '/Api/Auth/%6de']) {
      const client = new TestClient(app);
      expect([path, (await client.get<Problem>(path)).body.code]).toEqual([path, 'unauthenticated']);
      const forged = await client.patch<Problem>(path, { nickname: 'x' }, { headers: { origin: PAGE } });
      expect([path, forged.body.code]).toEqual([path, 'csrf_rejected']);
    }
  });
});
