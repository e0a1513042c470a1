import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_LOGIN, builtService } from '../support/service/built-service';
import { Collector, CollectedSpan, deadAddress } from '../support/receivers/collector';
import { call } from '../support/service/http-caller';
import { ServiceProcess, unbundled } from '../support/service/service-process';

jest.setTimeout(120_000);

const SERVER = 2;

const valuesOf = ({ attributes }: CollectedSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

describe('telemetry', () => {
  const built = builtService();

  const start = (environment: Record<string, string>): ServiceProcess =>
    ServiceProcess.start(unbundled(built.build), {
      ...built.environment,
      NODE_OPTIONS: `--require=${join(__dirname, '../support/service/print-loaded.cjs')}`,
      ...environment,
    });
  const logIn = (url: string): ReturnType<typeof call> => call(url, 'POST', '/api/auth/login', { body: ADMIN_LOGIN });

  it('is off by default, and its packages are not loaded', async () => {
    const service = start({ OTEL_SERVICE_NAME: 'castellan' });
    expect((await logIn(await service.ready)).status).toBe(200);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    // The metrics library loads only the API package.
    expect(service.lines.at(-1)).toBe('loaded: api');
    expect(service.lines.filter((line) => line.includes('trace_id'))).toEqual([]);
  });

  it('traces requests by route and queries without values, and contains no secrets', async () => {
    const collector = await Collector.listening();
    const service = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const url = await service.ready;
    const login = await logIn(url);
    const canaries = ['canary-in-path', 'canary-in-query', 'canary-in-agent'];
    await call(url, 'GET', '/api/user/canary-in-path?lang=canary-in-query', {
      cookie: login.cookie,
      headers: { 'user-agent': 'canary-in-agent' },
    });
    await call(url, 'GET', '/nothing/canary-in-path');
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await collector.close();

    const requests = collector.spans.filter(({ kind }) => kind === SERVER);
    expect(requests.map(({ name }) => name)).toEqual(['POST /api/auth/login', 'GET /api/user/:id', 'GET /*']);
    expect(valuesOf(requests[0]!)).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'http.route': '/api/auth/login',
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
    });

    if (built.environment['DATABASE_URL'] !== undefined) {
      const { traceId } = requests[0]!;
      const queries = collector.spans.filter((span) => span.traceId === traceId && span.kind !== SERVER).map(valuesOf);
      const statements = queries.map((query) => JSON.stringify(query['db.statement'] ?? query['db.query.text'] ?? ''));
      expect(statements.some((statement) => /user_account/.test(statement) && /\$1/.test(statement))).toBe(true);
    }
    const sent = collector.bodies.join('\n');
    const cookies = login.cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1));
    for (const secret of [...canaries, ADMIN_LOGIN.password, 'admin', ...cookies]) expect(sent).not.toContain(secret);

    const lines = service.lines.filter((line) => line.includes('"msg":"request"') && line.includes('/api/auth/login'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ trace_id: requests[0]!.traceId, span_id: requests[0]!.spanId });
  });

  it('sends the headers of a file', async () => {
    const collector = await Collector.listening();
    const folder = mkdtempSync(join(tmpdir(), 'castellan-headers-'));
    const path = join(folder, 'headers');
    writeFileSync(path, 'authorization=Bearer%20of-the-file\n');
    const service = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS_FILE: path });
    await logIn(await service.ready);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await collector.close();
    rmSync(folder, { recursive: true });
    expect([...new Set(collector.authorizations)]).toEqual(['Bearer of-the-file']);
  });

  it('affects neither requests nor shutdown when the collector is unreachable', async () => {
    const service = start({ OTEL_EXPORTER_OTLP_ENDPOINT: await deadAddress() });
    expect((await logIn(await service.ready)).status).toBe(200);
    const began = performance.now();
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(service.stderr).toBe('');
  });
});
