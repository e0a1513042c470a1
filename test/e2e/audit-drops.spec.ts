import { auditRetentionDays } from '../../src/audit';
import { AuditRetentionJob } from '../../src/audit/chain';
import { AuditChainJob } from '../../src/audit/chain/audit-chain.job';
import { AuditChainKeysService } from '../../src/audit/chain/audit-chain-keys.service';
import { RootClaims, unverifiedClaims } from '../../src/audit/chain/root-claims';
import { Transactions } from '../../src/platform/database';
import { SettingsReader } from '../../src/platform/settings';
import { chainOf, extendChain, tamper, verifyChain } from '../support/documents/audit-chain';
import { createMonth, PastMonth, writeEvents } from '../support/documents/audit-events';
import { typedAt, typedOn } from '../support/service/command-line';
import type { TestService } from '../support/service/test-service';
import { withServicePerTest } from '../support/service/with-service';

describe('months that retention drops', () => {
  let service: TestService;
  let month: PastMonth;

  // Before the service is left to others, who expect the partitions of a start.
  afterEach(() => service.query(`DROP TABLE IF EXISTS ${month.partition}`));

  withServicePerTest(async (started) => {
    service = started;
    month = await createMonth(service, 5);
    await extendChain(service);
    await writeEvents(service, { count: 3, action: 'trial.old', at: month.at });
    await extendChain(service);
  });

  const dropsMonth = async (): Promise<boolean> => {
    await extendChain(service);
    await service.app.get(AuditRetentionJob).enforce();
    return (await service.query(`SELECT FROM pg_class WHERE relname = $1`, [month.partition])).length === 0;
  };
  const kinds = async (options?: string, input?: string): Promise<string[]> =>
    (await verifyChain(service, options, input)).report.faults.map(({ kind }) => kind);
  const claimNotes = (partitions: unknown): Promise<unknown> =>
    service.query(
      `INSERT INTO audit_event (id, action, outcome, after) VALUES (gen_random_uuid(), 'audit.expire', 'success', $1)`,
      [JSON.stringify({ partitions, retention_days: 365 })],
    );
  const lastClaims = async (): Promise<RootClaims> => {
    const [root] = await service.query<{ token: string }>('SELECT token FROM audit_root ORDER BY number DESC LIMIT 1');
    return unverifiedClaims(root!.token);
  };
  const known = async (): Promise<string> => (await typedOn(service, 'audit roots')).out;
  const MISSING = ['event_missing', 'event_missing', 'event_missing'];

  it('are named by a signed root, with the retention in force', async () => {
    const before = await known();
    await service.set(auditRetentionDays, 90);
    expect(await dropsMonth()).toBe(true);
    expect(await lastClaims()).toMatchObject({
      retention_days: 90,
      dropped: { months: [month.name], retention_days: 90 },
    });
    expect((await verifyChain(service, '--known', before)).report).toMatchObject({ dropped: 3, faults: [] });
    await service.app.get(AuditChainJob, { strict: false }).run();
    expect(await service.query(`SELECT FROM audit_root WHERE events > 0 AND entries IS NULL`)).not.toEqual([]);
    expect((await verifyChain(service, '--known', before)).report).toMatchObject({ dropped: 3, faults: [] });
  });

  it('are no excuse if the audit log alone names them', async () => {
    const before = await known();
    await service.query(`DROP TABLE ${month.partition}`);
    await claimNotes([month.partition]);
    expect(await kinds()).toEqual(MISSING);
    await extendChain(service);
    await service.app.get(AuditChainJob, { strict: false }).run();
    expect(await kinds()).toEqual(MISSING);
    expect(await kinds('--known', before)).toEqual(MISSING);
    expect((await verifyChain(service)).code).toBe(1);
  });

  it('are no excuse for one event in a month that was renamed', async () => {
    await tamper(
      service,
      'audit_event',
      `DELETE FROM audit_event WHERE id = (SELECT id FROM audit_event WHERE action = 'trial.old' LIMIT 1)`,
    );
    const renamed = month.partition.replace(/_0?(\d+)$/, '_x$1');
    await service.query(`ALTER TABLE ${month.partition} RENAME TO ${renamed}`);
    await claimNotes([month.partition]);
    await extendChain(service);
    const faults = await kinds();
    await service.query(`DROP TABLE ${renamed}`);
    expect(faults).toEqual(['event_missing']);
  });

  it('are no excuse for events of other months', async () => {
    await service.set(auditRetentionDays, 90);
    await writeEvents(service, { count: 1, action: 'trial.hidden' });
    await extendChain(service);
    expect(await dropsMonth()).toBe(true);
    await tamper(service, 'audit_event', `DELETE FROM audit_event WHERE action = 'trial.hidden'`);
    expect(await kinds()).toEqual(['event_missing']);
  });

  it('are no excuse for events that were written after the drop', async () => {
    await service.set(auditRetentionDays, 90);
    expect(await dropsMonth()).toBe(true);
    await writeEvents(service, { count: 1, action: 'trial.late', at: month.at });
    await extendChain(service);
    await tamper(service, 'audit_event', `DELETE FROM audit_event WHERE action = 'trial.late'`);
    expect(await kinds()).toEqual(['event_missing']);
  });

  it('leave no event', async () => {
    await service.set(auditRetentionDays, 90);
    expect(await dropsMonth()).toBe(true);
    await writeEvents(service, { count: 1, action: 'trial.late', at: month.at });
    const [event] = await service.query<{ id: string }>(`SELECT id FROM audit_event WHERE action = 'trial.late'`);
    const { code, report } = await verifyChain(service);
    await tamper(service, 'audit_event', `DELETE FROM audit_event WHERE action = 'trial.late'`);
    expect([code, report.faults]).toEqual([1, [{ kind: 'event_left', event_id: event!.id }]]);
  });

  it('are those that the signed retention allows, whatever the setting says', async () => {
    await service.set(auditRetentionDays, 200);
    await service.query(`UPDATE setting SET value = '30' WHERE key = $1`, [auditRetentionDays.key]);
    service.app.get(SettingsReader).reload();
    expect(await dropsMonth()).toBe(false);
    await service.set(auditRetentionDays, 30);
    expect(await dropsMonth()).toBe(true);
    expect(await kinds()).toEqual([]);
  });

  it('stay if only an entry that the service did not write shortens the retention', async () => {
    const before = await known();
    await service.query(
      `INSERT INTO audit_event (id, action, outcome, target_type, target_id, after)
       VALUES (gen_random_uuid(), 'setting.update', 'success', 'setting', $1, '{"value":30,"version":1}')`,
      [auditRetentionDays.key],
    );
    await service.query(`INSERT INTO setting (key, value, version) VALUES ($1, '30', 1)`, [auditRetentionDays.key]);
    service.app.get(SettingsReader).reload();
    expect(await dropsMonth()).toBe(false);
    const restarted = await service.another();
    await restarted.app.get(AuditRetentionJob).enforce();
    expect(await dropsMonth()).toBe(false);
    expect((await lastClaims()).retention_days).toBe(365);
    expect((await verifyChain(service, '--known', before)).report).toMatchObject({
      dropped: 0,
      retention_shortened: [],
      faults: [],
    });
  });

  it.each([
    ['with a shorter retention', { retention_days: 30 }],
    ['as of a former version', {}],
  ])('stay if a root that the service did not sign comes last, %s', async (_, forged) => {
    const { retention_days: __, ...last } = await lastClaims();
    const claims = { ...last, number: last.number + 1, ...forged };
    const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`;
    await service.query(
      `INSERT INTO audit_root (number, token, events, last_at, entries) VALUES ($1, $2, 0, now(), '')`,
      [claims.number, token],
    );
    await service.query(`INSERT INTO setting (key, value, version) VALUES ($1, '30', 1)`, [auditRetentionDays.key]);
    await claimNotes([month.partition]);
    await service.another();
    service.app.get(SettingsReader).reload();
    expect(await dropsMonth()).toBe(false);
    expect(await lastClaims()).toMatchObject({ retention_days: 365 });
    expect((await verifyChain(service)).report).toMatchObject({
      unsigned_drops_before: null,
      faults: [{ kind: 'root_changed', root: claims.number }],
    });
  });

  it('leave each shorter retention in the result, with its root and time', async () => {
    const admin = await service.admin();
    const change = async (value: number | null): Promise<number> => {
      const answer = await admin.put('/api/setting', { updates: [{ key: auditRetentionDays.key, value }] });
      expect(answer.status).toBe(200);
      return (await lastClaims()).number;
    };
    const first = await change(90);
    await change(null);
    const input = `${auditRetentionDays.key}: 200`;
    expect(await typedAt(service.database, 'settings import -', { input })).toMatchObject({ code: 0 });
    const second = (await lastClaims()).number;
    await admin.post(`/api/setting/${auditRetentionDays.key}/rollback`, { version: 1 });
    const third = (await lastClaims()).number;
    expect(await dropsMonth()).toBe(true);
    const at = expect.any(String) as string;
    const shortened = [
      { root: first, at, from_days: 365, to_days: 90 },
      { root: second, at, from_days: 365, to_days: 200 },
      { root: third, at, from_days: 200, to_days: 90 },
    ];
    const { code, report } = await verifyChain(service);
    expect([code, report.faults, report.retention_shortened]).toEqual([0, [], shortened]);
    expect((await typedOn(service, 'audit verify')).out).toContain(
      `retention from 200 to 90 days, root ${third} of ${report.retention_shortened[2]!.at}`,
    );
  });

  it('stay after a change that was not stored', async () => {
    const admin = await service.admin();
    const { number } = await lastClaims();
    await admin.put('/api/setting?dry_run=true', { updates: [{ key: auditRetentionDays.key, value: 30 }] });
    expect((await lastClaims()).number).toBe(number);
    expect(await dropsMonth()).toBe(false);
  });

  it('stay if the retention becomes longer while the job waits', async () => {
    await service.set(auditRetentionDays, 90);
    let commit = (): void => undefined;
    const changing = await new Promise<{ readonly done: Promise<void> }>((resolve) => {
      const done = service.app.get(Transactions).run(async () => {
        await service.set(auditRetentionDays, 365);
        await new Promise<void>((release) => {
          commit = release;
          resolve({ done });
        });
      });
    });
    const dropping = service.app.get(AuditRetentionJob).enforce();
    await new Promise((resolve) => setTimeout(resolve, 300));
    commit();
    await Promise.all([changing.done, dropping]);
    expect(await dropsMonth()).toBe(false);
    expect(await kinds()).toEqual([]);
  });

  it('are faults if a root names them before the signed retention allows it', async () => {
    await service.app.get(Transactions).run(async () => {
      await chainOf(service).lock();
      await chainOf(service).addDrop([month.name], 30);
    });
    await service.query(`DROP TABLE ${month.partition}`);
    const { code, report } = await verifyChain(service);
    expect([code, report.faults]).toEqual([
      1,
      [{ kind: 'dropped_early', root: report.last!.number, month: month.name }],
    ]);
  });

  describe('of a former version', () => {
    /** Roots as of a version that signed no drops, which only its entry names. */
    const dropAsFormer = async (): Promise<void> => {
      const keys = service.app.get(AuditChainKeysService, { strict: false });
      const sign = keys.sign.bind(keys);
      const signing = jest.spyOn(keys, 'sign').mockImplementation(({ retention_days: _, ...former }) => sign(former));
      await claimNotes([month.partition]);
      await extendChain(service);
      signing.mockRestore();
    };

    it('are accepted from the first start on, which signs how far they reach', async () => {
      await service.query(`DROP TABLE ${month.partition}`);
      await dropAsFormer();
      await service.another();
      const { code, report } = await verifyChain(service);
      expect(code).toBe(0);
      expect(report).toMatchObject({ dropped: 3, faults: [], unsigned_drops_before: expect.any(String) as string });
      expect((await typedOn(service, 'audit verify')).out).toContain(
        `drops before ${report.unsigned_drops_before} by a former version`,
      );
      expect((await lastClaims()).dropped_before).toBe(Date.parse(report.unsigned_drops_before!));
    });

    it('end where events are left', async () => {
      await tamper(
        service,
        'audit_event',
        `DELETE FROM audit_event WHERE id = (SELECT id FROM audit_event WHERE action = 'trial.old' LIMIT 1)`,
      );
      const renamed = month.partition.replace(/_0?(\d+)$/, '_x$1');
      await service.query(`ALTER TABLE ${month.partition} RENAME TO ${renamed}`);
      await dropAsFormer();
      await service.another();
      const faults = await kinds();
      await service.query(`DROP TABLE ${renamed}`);
      expect(faults).toEqual(['event_missing']);
    });
  });
});
