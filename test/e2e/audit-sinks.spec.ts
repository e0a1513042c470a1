import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEventDto } from '../../src/audit';
import { AuditSinkMetricsJob } from '../../src/audit/sinks/audit-sink-metrics.job';
import { newId } from '../../src/platform/crypto';
import { writeEvents } from '../support/documents/audit-events';
import { HttpsCollector, SyslogReceiver } from '../support/receivers/audit-receivers';
import { makeCertificate } from '../support/servers/smtp-sink';
import { eventually, TestService } from '../support/service/test-service';

interface OtlpRecord {
  readonly severityText: string;
  readonly body: { readonly stringValue: string };
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
}
interface OtlpExport {
  readonly resourceLogs: readonly { readonly scopeLogs: readonly { readonly logRecords: readonly OtlpRecord[] }[] }[];
}

const certificate = makeCertificate();
let folder: string;
let ndjson: HttpsCollector;
let otlp: HttpsCollector;
let syslog: SyslogReceiver;
let service: TestService;
let instances: TestService[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-sinks-'));
  writeFileSync(join(folder, 'ca.pem'), certificate.cert);
  [ndjson, otlp, syslog] = await Promise.all([
    HttpsCollector.start(certificate),
    HttpsCollector.start(certificate),
    SyslogReceiver.start(certificate),
  ]);
  service = await TestService.start({
    environment: {
      AUDIT_NDJSON_URL: `https://127.0.0.1:${ndjson.port}/in`,
      AUDIT_NDJSON_AUTHORIZATION: 'Bearer of the collector',
      AUDIT_OTLP_URL: `https://127.0.0.1:${otlp.port}/v1/logs`,
      AUDIT_SYSLOG_URL: `tls://127.0.0.1:${syslog.port}`,
      AUDIT_SINK_CA_FILE: join(folder, 'ca.pem'),
    },
  });
  instances = [service, await service.another()];
  await eventually(
    () => service.query('SELECT 1 FROM audit_sink'),
    ({ length }) => length === 3,
  );
});

afterAll(async () => {
  await service.stop();
  await Promise.all([ndjson.stop(), otlp.stop(), syslog.stop()]);
  rmSync(folder, { recursive: true });
});

const parse = (lines: readonly string[]): AuditEventDto[] => lines.map((line) => JSON.parse(line) as AuditEventDto);
const ofNdjson = (): AuditEventDto[] => parse(ndjson.posted.flatMap(({ text }) => text.trim().split('\n')));
const ofSyslog = (): AuditEventDto[] => parse(syslog.messages.map((message) => message.slice(message.indexOf('{'))));
const otlpRecords = (): OtlpRecord[] =>
  otlp.posted.flatMap(({ text }) =>
    (JSON.parse(text) as OtlpExport).resourceLogs.flatMap(({ scopeLogs }) =>
      scopeLogs.flatMap((one) => one.logRecords),
    ),
  );
const ofOtlp = (): AuditEventDto[] => parse(otlpRecords().map(({ body }) => body.stringValue));
const receivers = { ndjson: ofNdjson, otlp: ofOtlp, syslog: ofSyslog };

/** Writes events, and returns their ids in order. */
async function written(count: number): Promise<{ action: string; ids: string[] }> {
  const action = `trial.${newId().slice(-8)}`;
  await writeEvents(service, { count, action });
  const rows = await service.query<{ id: string }>('SELECT id FROM audit_event WHERE action = $1 ORDER BY id', [
    action,
  ]);
  return { action, ids: rows.map(({ id }) => id) };
}

const received = (of: () => AuditEventDto[], action: string, count: number): Promise<string[]> =>
  eventually(
    async () =>
      of()
        .filter((event) => event.action === action)
        .map(({ id }) => id),
    ({ length }) => length >= count,
    10,
  );

async function metrics(name: string): Promise<string[]> {
  const texts = await Promise.all(
    instances.map((each) => each.client().get('/metrics', { remoteAddress: '127.0.0.1' })),
  );
  return texts.flatMap(({ text }) => text.split('\n').filter((line) => line.startsWith(name)));
}

const logged = (text: string): string[] =>
  instances.flatMap(({ logLines }) => logLines.filter((line) => line.includes(text)));

describe('receivers of the audit log', () => {
  it('get every event once and in order, from several instances', async () => {
    const { action, ids } = await written(700);
    for (const of of Object.values(receivers)) expect(await received(of, action, ids.length)).toEqual(ids);
  });

  it('get the events of the audit log as the API shows them, and the header for them', async () => {
    const admin = await service.admin();
    const { items } = (
      await admin.get<{ items: (AuditEventDto & { title: string })[] }>('/api/audit?action=login&page_size=1')
    ).body;
    // Receivers have no language.
    const { title: _title, ...item } = items[0]!;
    for (const of of Object.values(receivers)) {
      const find = async (): Promise<AuditEventDto | undefined> => of().find(({ id }) => id === item.id);
      expect(await eventually(find, (found) => found !== undefined, 10)).toEqual(item);
    }
    expect(ndjson.posted.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer of the collector',
      'content-type': 'application/x-ndjson',
    });
    expect(otlp.posted.at(-1)?.headers).not.toHaveProperty('authorization');
    const record = otlpRecords().find(({ body }) => body.stringValue.includes(item.id));
    expect(record?.severityText).toBe('INFO');
    expect(record?.attributes).toContainEqual({ key: 'user.name', value: { stringValue: item.actor!.username } });
    expect(syslog.messages.find((message) => message.includes(item.id))).toMatch(
      /^<110>1 \S+Z \S+ castellan - login - \{/,
    );
  });

  it('get the events of an outage afterwards, and others are not delayed', async () => {
    ndjson.answer = { status: 503, body: '' };
    const { action, ids } = await written(3);
    expect(await received(ofSyslog, action, ids.length)).toEqual(ids);
    await eventually(
      () => metrics('castellan_audit_sink_batches_total{sink="ndjson",outcome="failed"}'),
      ({ length }) => length > 0,
    );
    const lagOf = async (sink: string): Promise<string[]> => {
      await service.app.get(AuditSinkMetricsJob, { strict: false }).read();
      return metrics(`castellan_audit_sink_lag_seconds{sink="${sink}"}`);
    };
    // The place of a receiver moves a moment after it has read.
    await eventually(
      () => lagOf('syslog'),
      ([line = '']) => line.endsWith(' 0'),
    );
    expect(await lagOf('ndjson')).toEqual([expect.stringMatching(/ \d+\.\d+$/)]);
    ndjson.answer = { status: 200, body: '' };
    expect(await received(ofNdjson, action, ids.length)).toEqual(ids);
    const lines = logged('does not accept the audit log');
    expect(lines.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual(['status_503']);
  });

  it('get no event that they reject for an hour, and get the later ones', async () => {
    otlp.answer = { status: 422, body: '{}' };
    const rejected = await written(1);
    const rejectedAgain = (): Promise<unknown[]> =>
      service.query(`SELECT 1 FROM audit_sink WHERE name = 'otlp' AND rejections > 0`);
    await eventually(rejectedAgain, ({ length }) => length > 0, 20);
    await service.query(`UPDATE audit_sink SET failures = 59, rejections = 59, next_at = now() WHERE name = 'otlp'`);
    const skipped = await eventually(
      async () => logged('Skipped an event'),
      ({ length }) => length > 0,
      20,
    );
    expect(JSON.parse(skipped[0]!)).toMatchObject({ sink: 'otlp', event_id: rejected.ids[0], reason: 'status_422' });
    expect(await metrics('castellan_audit_sink_batches_total{sink="otlp",outcome="skipped"}')).toHaveLength(1);
    otlp.answer = { status: 200, body: '{}' };
    const later = await written(1);
    expect(await received(ofOtlp, later.action, 1)).toEqual(later.ids);
    expect(await received(ofOtlp, rejected.action, 0)).toEqual([]);
  });

  it('get every event after many failures that do not concern it', async () => {
    otlp.answer = { status: 401, body: '{}' };
    const { action, ids } = await written(1);
    const failed = (): Promise<unknown[]> =>
      service.query(`SELECT 1 FROM audit_sink WHERE name = 'otlp' AND failures > 0`);
    await eventually(failed, ({ length }) => length > 0, 20);
    await service.query(`UPDATE audit_sink SET failures = 100, rejections = 59, next_at = now() WHERE name = 'otlp'`);
    const isReset = (): Promise<unknown[]> =>
      service.query(`SELECT 1 FROM audit_sink WHERE name = 'otlp' AND failures > 100 AND rejections = 0`);
    await eventually(isReset, ({ length }) => length > 0, 20);
    otlp.answer = { status: 200, body: '{}' };
    await service.query(`UPDATE audit_sink SET next_at = now() WHERE name = 'otlp'`);
    expect(await received(ofOtlp, action, 1)).toEqual(ids);
  });

  it('may drop events, which is logged and not sent again', async () => {
    otlp.answer = { status: 200, body: '{"partialSuccess":{"rejectedLogRecords":"2"}}' };
    const { action, ids } = await written(2);
    expect(await received(ofOtlp, action, ids.length)).toEqual(ids);
    otlp.answer = { status: 200, body: '{}' };
    const next = await written(1);
    expect(await received(ofOtlp, next.action, 1)).toEqual(next.ids);
    expect(logged('dropped events')).not.toEqual([]);
    expect(await received(ofOtlp, action, ids.length)).toEqual(ids);
  });

  it('are reported if their answer does not tell what they dropped', async () => {
    otlp.answer = { status: 200, body: `{"partialSuccess":{"errorMessage":"${'x'.repeat(20_000)}"}}` };
    const { action, ids } = await written(1);
    expect(await received(ofOtlp, action, 1)).toEqual(ids);
    const lines = await eventually(
      async () => logged('does not tell whether it dropped events'),
      ({ length }) => length > 0,
      10,
    );
    expect(JSON.parse(lines[0]!)).toMatchObject({ sink: 'otlp' });
    otlp.answer = { status: 200, body: '{}' };
  });

  it('may answer at any length', async () => {
    ndjson.answer = { status: 200, body: 'x'.repeat(1_000_000) };
    const { action, ids } = await written(1);
    expect(await received(ofNdjson, action, 1)).toEqual(ids);
    const isDelivered = (): Promise<unknown[]> =>
      service.query(`SELECT 1 FROM audit_sink WHERE name = 'ndjson' AND failures = 0 AND position_id >= $1`, ids);
    await eventually(isDelivered, ({ length }) => length === 1, 20);
    ndjson.answer = { status: 200, body: '' };
  });

  it('get nothing if their certificate is not trusted', async () => {
    const stranger = await SyslogReceiver.start(makeCertificate());
    const environment = { AUDIT_SYSLOG_URL: `tls://127.0.0.1:${stranger.port}`, AUDIT_SINK_CA: certificate.cert };
    const own = await TestService.start({ environment });
    try {
      await eventually(
        () => own.query('SELECT 1 FROM audit_sink'),
        ({ length }) => length === 1,
        20,
      );
      await writeEvents(own, { count: 1, action: 'trial.act' });
      const failed = await eventually(
        async () => own.logLines.filter((line) => line.includes('does not accept the audit log')),
        ({ length }) => length > 0,
        20,
      );
      expect(failed[0]).toContain('"reason":"certificate"');
      expect(stranger.messages).toEqual([]);
    } finally {
      await own.stop();
      await stranger.stop();
    }
  });
});
