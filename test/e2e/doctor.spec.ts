import type { DiagnosticsDto } from '../../src/operations/diagnostics';
import { smtpHost, smtpPassword } from '../../src/messaging/delivery/delivery.settings';
import { Ran, typedAt } from '../support/service/command-line';
import { encryptionKey } from '../support/service/encryption-key';
import { itOnServer } from '../support/service/on-server';
import { describeWithRedis, RedisServer } from '../support/servers/redis-server';
import { TestService } from '../support/service/test-service';
import { createTestDatabase } from '../support/service/test-database';
import { SendOptions, TestClient } from '../support/service/test-client';

type Check = DiagnosticsDto['checks'][number];

const examined = async (client: TestClient, query = '', options: SendOptions = {}): Promise<DiagnosticsDto> => {
  const { status, body } = await client.get<DiagnosticsDto>(`/api/doctor${query}`, options);
  expect(status).toBe(200);
  return body;
};

const check = (dto: DiagnosticsDto, name: string): Check | undefined =>
  dto.checks.find((found) => found.check === name);

describe('GET /api/doctor', () => {
  let service: TestService;
  let admin: TestClient;

  beforeAll(async () => {
    service = await TestService.start({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
    admin = await service.admin();
  });

  afterAll(() => service.stop());

  it('shows how the request arrived and the resulting cookie settings', async () => {
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'id.example.com:8443',
    };
    const { seen, cookies, checks } = await examined(admin, '', { headers });
    expect(seen).toEqual({
      origin: 'https://id.example.com:8443',
      scheme: 'https',
      scheme_from: 'x-forwarded-proto',
      host: 'id.example.com',
      port: 8443,
      host_from: 'x-forwarded-host',
      client_ip: '203.0.113.7',
      client_ip_from: 'x-forwarded-for',
      peer: '127.0.0.1',
    });
    expect(cookies).toEqual({
      prefix: 'iam',
      path: '/',
      domain: '',
      same_site: 'lax',
      secure: true,
      http_only: true,
    });
    expect(checks.map((found) => found.check)).toEqual([
      'origin',
      'proxy',
      'https',
      'keys',
      'administrator',
      'clock',
      'redis',
      'mail',
      'pkce',
    ]);
  });

  it('shows the issuer and the callbacks as others receive them', async () => {
    const provider = { name: 'hub', label: 'Hub', template: 'github', client_id: 'a', client_secret: 'b' };
    const { body } = await admin.post<{ callback_url: string }>('/api/oauth/provider', provider);
    const discovery = await service.client().get<{ issuer: string }>('/.well-known/openid-configuration');
    const dto = await examined(admin);
    expect(dto.issuer).toBe(discovery.body.issuer);
    expect(dto.redirect_uris).toEqual([{ provider: 'hub', uri: body.callback_url }]);
  });

  it('reports a browser at another origin', async () => {
    const dto = await examined(admin, '?browser_origin=https%3A%2F%2Fid.example.com');
    expect(check(dto, 'origin')).toMatchObject({ state: 'error' });
    expect(check(dto, 'origin')?.detail).toContain('PUBLIC_URL');
    expect(check(dto, 'https')).toMatchObject({ state: 'warning' });
  });

  it('reports an untrusted proxy', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const dto = await examined(admin, '', { headers, remoteAddress: '10.9.8.7' });
    expect(check(dto, 'proxy')).toMatchObject({ state: 'warning' });
    expect(check(dto, 'proxy')?.detail).toContain('10.9.8.7');
    expect(dto.seen).toMatchObject({ client_ip: '10.9.8.7', client_ip_from: 'connection' });
  });

  itOnServer(
    'reports a clock difference (needs TEST_DATABASE_URL: the embedded database shares the clock of the process)',
    async () => {
      expect(check(await examined(admin), 'clock')).toMatchObject({ state: 'ok' });
      const now = Date.now.bind(Date);
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 30_000);
      try {
        const found = check(await examined(admin), 'clock');
        expect(found).toMatchObject({ state: 'error' });
        expect(found?.detail).toMatch(/30(?:\.\d)? seconds ahead/);
      } finally {
        clock.mockRestore();
      }
    },
  );

  it('checks the mail settings and uses the requested language', async () => {
    expect(check(await examined(admin), 'mail')).toMatchObject({ state: 'warning' });
    expect(check(await examined(admin, '?lang=zh'), 'mail')?.title).toBe('邮件');
    await service.set(smtpHost, 'mail.example.com');
    expect(check(await examined(admin), 'mail')?.detail).toContain('email.from');
    expect((await examined(admin)).checks.map(({ detail }) => detail).join(' ')).not.toMatch(/\{\w+\}/);
  });

  it('requires permission to read the settings', async () => {
    const ann = await service.signUp('ann');
    expect((await ann.get('/api/doctor')).status).toBe(403);
  });

  const onCommandLine = (line: string, environment: Record<string, string>): Promise<Ran> =>
    typedAt(service.database, line, { environment: { PUBLIC_URL: 'https://id.example.com', ...environment } });

  it('runs on the command line and ends with 1 when a check fails', async () => {
    const { code, out } = await onCommandLine('doctor --lang zh', { REDIS_URL: 'redis://127.0.0.1:1' });
    expect(code).toBe(1);
    expect(out).toMatch(/^error\tRedis 缓存\t/m);
    expect(out).toMatch(/^ok\t加密\t/m);
    expect(out).toContain('issuer\thttps://id.example.com\n');
  });

  it('reports a service without an administrator', async () => {
    expect(check(await examined(admin), 'administrator')).toMatchObject({ state: 'ok' });
    const without = await createTestDatabase();
    const environment = { PUBLIC_URL: 'https://id.example.com' };
    const { code, out } = await typedAt(without, 'doctor', { environment });
    await without.drop();
    expect(code).toBe(0);
    expect(out).toMatch(/^warning\tAdministrator\t.+admin create/m);
  });

  it('reports encryption keys that cannot decrypt the data and continues with the other checks', async () => {
    await service.set(smtpHost, 'mail.example.com');
    await service.set(smtpPassword, 'very-secret');
    const { code, out } = await onCommandLine('doctor', {
      ENCRYPTION_KEYS: encryptionKey('other', 7),
    });
    expect(code).toBe(1);
    expect(out).toMatch(/^error\tKeys\tENCRYPTION_KEYS /m);
    expect(out).toMatch(/^ok\tClock\t/m);
    expect(out).toContain('issuer\thttps://id.example.com\n');
  });
});

describeWithRedis('GET /api/doctor with Redis', () => {
  it('reports a Redis that may evict counters', async () => {
    const redis = await RedisServer.create();
    await redis.start('--maxmemory-policy', 'volatile-lru');
    const service = await TestService.start({ environment: { REDIS_URL: redis.url } });
    try {
      const found = check(await examined(await service.admin()), 'redis');
      expect(found).toMatchObject({ state: 'warning' });
      expect(found?.detail).toContain('volatile-lru');
    } finally {
      await service.stop();
      await redis.kill();
    }
  });
});
