import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtService } from '../support/service/built-service';
import { eventually } from '../support/service/eventually';
import { call } from '../support/service/http-caller';
import { describeWithRedis, RedisServer } from '../support/servers/redis-server';
import { ServiceProcess } from '../support/service/service-process';

jest.setTimeout(120_000);

/** A self-signed certificate for loopback. */
function makeCertificate(folder: string): { certificate: string; key: string } {
  const [certificate, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = ['-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...made, ...named, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  return { certificate, key };
}

describeWithRedis('Redis over TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-tls-'));
  const built = builtService();
  let redis: RedisServer;
  let certificate: string;

  beforeAll(async () => {
    redis = await RedisServer.create();
    const made = makeCertificate(folder);
    certificate = made.certificate;
    const files = ['--tls-cert-file', certificate, '--tls-key-file', made.key, '--tls-ca-cert-file', certificate];
    await redis.start('--port', '0', '--tls-port', new URL(redis.url).port, ...files, '--tls-auth-clients', 'no');
  });

  afterAll(async () => {
    await redis.remove();
    rmSync(folder, { recursive: true });
  });

  interface Started {
    readonly service: ServiceProcess;
    readonly readiness: () => Promise<unknown>;
  }

  const started = async (environment: Record<string, string>): Promise<Started> => {
    const REDIS_URL = redis.url.replace('redis:', 'rediss:');
    const service = built.start({ REDIS_URL, ...environment });
    const url = await service.ready;
    return { service, readiness: async () => (await call(url, 'GET', '/health/ready')).body };
  };

  it('is used with a trusted certificate', async () => {
    const { readiness } = await started({ NODE_EXTRA_CA_CERTS: certificate });
    await eventually(readiness, (answer) => (answer as { status: string }).status === 'ok', 15);
  });

  it('is replaced by memory when its certificate is untrusted', async () => {
    const { service, readiness } = await started({});
    // A connection was tried and failed because of the certificate.
    await eventually(
      async () => service.lines.filter((line) => line.includes('Redis is unreachable')),
      (lines) => lines.some((line) => line.includes('DEPTH_ZERO_SELF_SIGNED_CERT')),
    );
    expect(await readiness()).toMatchObject({ status: 'degraded', checks: { cache: 'degraded' } });
  });
});
