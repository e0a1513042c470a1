import { auditRetentionDays } from '../../src/audit';
import { AuditRetentionJob } from '../../src/audit/chain';
import { extendChain } from '../support/documents/audit-chain';
import { createMonth, writeEvents } from '../support/documents/audit-events';
import { TestClient } from '../support/service/test-client';
import type { TestService } from '../support/service/test-service';
import { withServicePerTest } from '../support/service/with-service';

interface Event {
  id: string;
  actor: object | null;
  after: object | null;
}

describe('audit retention', () => {
  let service: TestService;
  let admin: TestClient;

  const made: string[] = [];

  // Before the service is left to others, who expect the partitions of a start.
  afterEach(async () => {
    for (const name of made.splice(0)) await service.query(`DROP TABLE IF EXISTS ${name}`);
  });

  withServicePerTest(async (started) => {
    service = started;
    admin = await service.admin();
  });

  const items = async (query = ''): Promise<Event[]> =>
    (await admin.get<{ items: Event[] }>(`/api/audit${query}`)).body.items;
  const partitions = async (): Promise<string[]> => {
    const rows = await service.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_event'::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  };
  const enforce = async (): Promise<void> => {
    await extendChain(service);
    await service.app.get(AuditRetentionJob).enforce();
  };
  /** Creates the partition of the month `ago` months before this one, with three events. */
  const makeMonth = async (ago: number): Promise<string> => {
    const { partition, at } = await createMonth(service, ago);
    made.push(partition);
    await writeEvents(service, { count: 3, action: `trial.${partition}`, at });
    return partition;
  };

  it('drops partitions by whole months once retention has passed', async () => {
    const [old, older, recent] = [await makeMonth(14), await makeMonth(30), await makeMonth(5)];
    const others = (await partitions()).filter((name) => name !== old && name !== older);
    await enforce();
    expect(await partitions()).toEqual(others);
    expect(others).toContain(recent);
    expect(await items(`?action=trial.${recent}`)).toHaveLength(3);
    expect(await items(`?action=trial.${old}`)).toHaveLength(0);
    expect(await items('?action=audit.expire')).toMatchObject([
      { actor: null, after: { partitions: [older, old], retention_days: 365 } },
    ]);
    await enforce();
    expect(await items('?action=audit.expire')).toHaveLength(1);
  });

  it('follows the setting and always keeps the current month', async () => {
    const month = await makeMonth(4);
    await service.set(auditRetentionDays, 200);
    await enforce();
    expect(await partitions()).toContain(month);
    await service.set(auditRetentionDays, 30);
    const now = await items('?page_size=1');
    await enforce();
    expect(await partitions()).not.toContain(month);
    expect((await items('?page_size=100')).map(({ id }) => id)).toContain(now[0]!.id);
  });

  it('rejects a retention below one month', async () => {
    const answer = await admin.put('/api/setting', { updates: [{ key: auditRetentionDays.key, value: 29 }] });
    expect(answer.body).toMatchObject({ errors: [{ code: 'min' }] });
  });

  it('drops a partition once when several instances run the job', async () => {
    const month = await makeMonth(3);
    await service.set(auditRetentionDays, 30);
    const other = await service.another();
    await Promise.all([enforce(), other.app.get(AuditRetentionJob).enforce(), enforce()]);
    const [event, ...more] = await items('?action=audit.expire&page_size=100');
    expect(event).toMatchObject({ after: { partitions: [month] } });
    expect(more.filter(({ after }) => JSON.stringify(after).includes(month))).toEqual([]);
  });

  it('keeps events append-only', async () => {
    await expect(service.query('DELETE FROM audit_event')).rejects.toThrow('append-only');
    await expect(service.query(`UPDATE audit_event SET action = 'x'`)).rejects.toThrow('append-only');
  });
});
