import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { HashingQueue } from '../../src/platform/crypto';
import { Database } from '../../src/platform/database';
import { AuditChainJob } from '../../src/audit/chain/audit-chain.job';
import { AuditSinkMetricsJob } from '../../src/audit/sinks/audit-sink-metrics.job';
import { EventMetricsJob } from '../../src/events/feed/event-metrics.job';
import { LogoutMetricsJob } from '../../src/oauth/server/logout/logout-metrics.job';
import { SessionMetricsJob } from '../../src/session/session-metrics.job';
import { WebhookMetricsJob } from '../../src/events/webhooks/webhook-metrics.job';
import { eventually, TestService } from '../support/service/test-service';

const root = join(__dirname, '../..');
const RULES = join(root, 'deploy/prometheus/castellan.rules.yml');
const FIXTURE = join(root, 'test/fixtures/alerts/castellan.test.yml');
const ALERTS = join(root, 'docs/operating/alerts.md');
const PROMTOOL = '/usr/bin/promtool';
const read = (path: string): string => readFileSync(path, 'utf8');

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}
interface AlertCase {
  readonly alertname: string;
  readonly exp_alerts: readonly object[];
}
interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const rules = (parse(read(RULES)) as { groups: { rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read(join(root, 'deploy/grafana/castellan.json'))) as { panels: Panel[] };
const expressions = [...rules.map(({ expr }) => expr), ...panels.flatMap((panel) => panel.targets.map((t) => t.expr))];

/** Replaces Grafana variables, which Prometheus rules cannot contain. */
const plain = (expr: string): string => expr.replaceAll('$__rate_interval', '5m');
const metricsIn = (expr: string): string[] => expr.match(/\b(?:castellan|nodejs|process)_[a-z0-9_]+/g) ?? [];
const labelsIn = (expr: string): string[] =>
  Array.from(expr.matchAll(/\b([a-z]+)(?:=~|!=|=)"/g), ([, label = '']) => label).concat(
    Array.from(expr.matchAll(/by \(([a-z, ]+)\)/g), ([, list = '']) => list.split(', ')).flat(),
  );

function promtool(...words: string[]): { readonly ok: boolean; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, words, { encoding: 'utf8' });
  return { ok: status === 0, output: stdout + stderr };
}

describe('alert rules and dashboard', () => {
  let service: TestService;
  let exposed: string;

  beforeAll(async () => {
    service = await TestService.start({ environment: { AUDIT_SYSLOG_URL: 'tls://127.0.0.1:9' } });
    const ann = await service.signUp('ann');
    await ann.post('/api/auth/refresh');
    await service.app.get(HashingQueue).run(async () => undefined);
    const { dataSource } = service.app.get(Database);
    await Promise.all(Array.from({ length: 5 }, () => dataSource.query('SELECT pg_sleep(0.02)')));
    const job = service.app.get(SessionMetricsJob);
    await job.countSessions();
    await job.readKeys();
    await service.query(
      `INSERT INTO logout_notice (id, client_id, user_id, sid, made_at, next_at)
       VALUES ($1, 'app', $1, 'sid', now() - interval '90 seconds', now() + interval '1 hour')`,
      ['01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4'],
    );
    await service.app.get(LogoutMetricsJob, { strict: false }).read();
    await service.app.get(AuditChainJob, { strict: false }).run();
    await eventually(
      () => service.query('SELECT 1 FROM audit_sink'),
      ({ length }) => length === 1,
    );
    await service.app.get(AuditSinkMetricsJob, { strict: false }).read();
    await service.app.get(EventMetricsJob, { strict: false }).read();
    await service.app.get(WebhookMetricsJob, { strict: false }).read();
    exposed = (await service.client().get('/metrics', { remoteAddress: '127.0.0.1' })).text;
  });
  afterAll(() => service.stop());

  it('use only existing metrics', () => {
    const types = Array.from(exposed.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = '', type = '']) => ({
      name,
      type,
    }));
    const known = new Set(
      types.flatMap(({ name, type }) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    );
    const named = new Set(expressions.flatMap(metricsIn));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !known.has(name))).toEqual([]);
  });

  it('show every metric of the service', () => {
    const own = Array.from(exposed.matchAll(/^# TYPE (castellan_\S+)/gm), ([, name = '']) => name);
    const shown = panels.flatMap((panel) => panel.targets.flatMap(({ expr }) => metricsIn(expr)));
    expect(own.filter((name) => !shown.some((one) => one.startsWith(name)))).toEqual([]);
  });

  it('use only existing labels', () => {
    // Prometheus adds `job` and `instance`.
    const known = new Set(['job', 'instance', 'le', 'channel', 'provider']);
    for (const [, labels = ''] of exposed.matchAll(/^castellan_\w+\{(.*?)\}/gm)) {
      for (const [, name = ''] of labels.matchAll(/(\w+)="/g)) known.add(name);
    }
    expect(expressions.flatMap(labelsIn).filter((label) => !known.has(label))).toEqual([]);
  });

  it('use counters exactly where the name ends in _total', () => {
    const types = Array.from(exposed.matchAll(/^# TYPE (castellan_\S+) (\S+)$/gm));
    expect(types.length).toBeGreaterThan(15);
    for (const [, name = '', type] of types) {
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    }
  });

  it('count failed logout notices from zero, so that the first one already raises the counter', () => {
    expect(exposed).toMatch(/^castellan_logout_notices_total\{outcome="failed"\} 0$/m);
  });

  it('cover state, resources and dependencies of the service', () => {
    const { version } = jest.requireActual<{ version: string }>('../../package.json');
    expect(exposed).toContain(`castellan_build_info{version="${version}",node="${process.versions.node}"} 1\n`);
    expect(exposed).toMatch(/^castellan_redis_away 0$/m);
    expect(exposed).toMatch(/^castellan_sessions_active 1$/m);
    expect(exposed).toMatch(/^castellan_logout_notice_age_seconds 9\d(?:\.\d+)?$/m);
    expect(exposed).toMatch(/^castellan_signing_key_age_seconds\{usage="session",algorithm="ES256"\} \d/m);
    expect(exposed).toMatch(/^castellan_hash_wait_seconds_count [1-9]/m);
    expect(exposed).toMatch(/^castellan_hash_refusals_total 0$/m);
    expect(exposed).toMatch(/^castellan_database_wait_seconds_count [1-9]/m);
  });
});

describe('alerts', () => {
  it.each(rules)(
    '$alert has a section in docs/operating/alerts.md that its runbook links to',
    ({ alert, annotations }) => {
      expect(annotations.runbook_url).toBe(`docs/operating/alerts.md#${alert.toLowerCase()}`);
      const [, section = ''] = new RegExp(`^## ${alert}$([^#]+)`, 'm').exec(read(ALERTS)) ?? [];
      expect(section.length).toBeGreaterThan(100);
    },
  );

  it('have no section without a rule', () => {
    const sections = Array.from(read(ALERTS).matchAll(/^## (Castellan\w+)$/gm), ([, name]) => name);
    expect(sections).toEqual(rules.map(({ alert }) => alert));
  });
});

describe('cases of the alerts', () => {
  const { tests } = parse(read(FIXTURE)) as { tests: { alert_rule_test: AlertCase[] }[] };
  const cases = tests.flatMap(({ alert_rule_test: listed }) => listed);
  const namesOf = (isFiring: boolean): Set<string> =>
    new Set(cases.filter((one) => one.exp_alerts.length > 0 === isFiring).map(({ alertname }) => alertname));

  it.each([
    ['fires', true],
    ['stays silent', false],
  ])('show for every alert when it %s', (_what, isFiring) => {
    const shown = namesOf(isFiring);
    expect(rules.map(({ alert }) => alert).filter((name) => !shown.has(name))).toEqual([]);
  });
});

if (!existsSync(PROMTOOL)) {
  process.stdout.write(`${PROMTOOL} is missing; skipped: the check of rules and dashboard by promtool\n`);
}
(existsSync(PROMTOOL) ? describe : describe.skip)('promtool', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-rules-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('accepts the rules, and their alerts fire as expected', () => {
    expect(promtool('check', 'rules', RULES)).toMatchObject({ ok: true });
    const tests = promtool('test', 'rules', FIXTURE);
    expect(tests).toMatchObject({ ok: true });
  });

  it('parses every expression of the dashboard', () => {
    const recorded = panels
      .flatMap(({ targets }) => targets)
      .map(({ expr }, index) => ({ record: `panel:${index}`, expr: plain(expr) }));
    const file = join(folder, 'panels.yml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: recorded }] }));
    expect(promtool('check', 'rules', file)).toMatchObject({ ok: true });
  });

  it('finds no problem in the exposed metrics', async () => {
    const service = await TestService.start();
    const { text } = await service.client().get('/metrics', { remoteAddress: '127.0.0.1' });
    await service.stop();
    const { stdout, stderr } = spawnSync(PROMTOOL, ['check', 'metrics'], { input: text, encoding: 'utf8' });
    const own = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('castellan_'));
    expect(own).toEqual([]);
  });
});
