import { AuditDigestRepository } from '../../src/audit';
import { AuditChainJob } from '../../src/audit/chain/audit-chain.job';
import { AuditChainKeysService } from '../../src/audit/chain/audit-chain-keys.service';
import type { ChainReport } from '../../src/audit/chain';
import { AuditRootRepository } from '../../src/audit/chain/audit-root.repository';
import { FIRST_ID, newId, sha256 } from '../../src/platform/crypto';
import { chainOf, extendChain, tamper, verifyChain } from '../support/documents/audit-chain';
import { writeEvents } from '../support/documents/audit-events';
import { eventually } from '../support/service/eventually';
import { typedAt, typedOn } from '../support/service/command-line';
import type { TestService } from '../support/service/test-service';
import { withService, withServicePerTest } from '../support/service/with-service';

let service: TestService;

const extend = (): Promise<void> => extendChain(service);

/** As a version that does not know the organization of an event. */
async function extendAsFormer(): Promise<void> {
  const keys = service.app.get(AuditChainKeysService, { strict: false });
  const digests = service.app.get(AuditDigestRepository, { strict: false });
  const [sign, findSettled] = [keys.sign.bind(keys), digests.findSettled.bind(digests)];
  const signing = jest
    .spyOn(keys, 'sign')
    .mockImplementation(({ has_organizations: _, retention_days: __, ...former }) => sign(former));
  const reading = jest.spyOn(digests, 'findSettled').mockImplementation(async (after, limit) => {
    const [last] = (await findSettled(after, limit)).slice(-1);
    if (!last) return [];
    const found = await digests.findBetween(after, last, limit);
    return found.map(({ formerDigest, ...event }) => ({ ...event, digest: formerDigest }));
  });
  await extend();
  signing.mockRestore();
  reading.mockRestore();
}

const verify = (options?: string, input?: string): ReturnType<typeof verifyChain> =>
  verifyChain(service, options, input);
const rootsNow = async (): Promise<string> => (await typedOn(service, 'audit roots')).out;

describe('a changed audit log', () => {
  let from: string;
  let ids: string[];

  withService((started) => {
    service = started;
  });

  beforeEach(async () => {
    await extend();
    const start = Date.now() + 1;
    from = new Date(start).toISOString();
    // Written within the same millisecond, the events would be before it.
    await eventually(
      async () => Date.now(),
      (now) => now > start,
    );
    const action = `trial.${newId().slice(-8)}`;
    await writeEvents(service, { count: 3, action });
    await extend();
    const rows = await service.query<{ id: string }>('SELECT id FROM audit_event WHERE action = $1 ORDER BY id', [
      action,
    ]);
    ids = rows.map(({ id }) => id);
  });

  const faults = async (): Promise<{ code: number; faults: ChainReport['faults'] }> => {
    const { code, report } = await verify(`--from ${from}`);
    return { code, faults: report.faults };
  };

  it('has no fault before the change', async () => {
    const { code, report } = await verify(`--from ${from}`);
    expect(code).toBe(0);
    expect(report).toMatchObject({ roots: 1, proven: 3, unproven: null, faults: [], faults_total: 0 });
  });

  it.each(['action', 'actor_name', 'on_behalf_of_name', 'reason', 'ip'])(
    'names an event whose %s was changed',
    async (column) => {
      await tamper(service, 'audit_event', `UPDATE audit_event SET ${column} = 'other' WHERE id = $1`, [ids[1]]);
      expect(await faults()).toEqual({ code: 1, faults: [{ kind: 'event_changed', event_id: ids[1] }] });
    },
  );

  it('names an event whose state was changed', async () => {
    await tamper(service, 'audit_event', `UPDATE audit_event SET after = '{"a":1}' WHERE id = $1`, [ids[2]]);
    expect(await faults()).toEqual({ code: 1, faults: [{ kind: 'event_changed', event_id: ids[2] }] });
  });

  it('names an event that was given to an organization', async () => {
    await tamper(service, 'audit_event', 'UPDATE audit_event SET organization_id = $2 WHERE id = $1', [
      ids[1],
      newId(),
    ]);
    expect(await faults()).toEqual({ code: 1, faults: [{ kind: 'event_changed', event_id: ids[1] }] });
  });

  it('accepts a root of a version that did not know the organization of an event', async () => {
    await writeEvents(service, { count: 1, action: 'trial.organized' });
    const organizationId = newId();
    await tamper(
      service,
      'audit_event',
      `UPDATE audit_event SET organization_id = $1 WHERE action = 'trial.organized'`,
      [organizationId],
    );
    await extendAsFormer();
    expect((await faults()).faults).toEqual([]);
    await tamper(service, 'audit_event', `UPDATE audit_event SET reason = 'other' WHERE action = 'trial.organized'`);
    expect((await faults()).faults).toMatchObject([{ kind: 'event_changed' }]);
  });

  it('names a deleted event', async () => {
    await tamper(service, 'audit_event', 'DELETE FROM audit_event WHERE id = $1', [ids[0]]);
    expect(await faults()).toEqual({ code: 1, faults: [{ kind: 'event_missing', event_id: ids[0] }] });
  });

  it('names an added event', async () => {
    const added = `${ids[1]!.slice(0, -4)}0000`;
    await service.query(
      `INSERT INTO audit_event (id, action, outcome, position)
       SELECT $1, 'trial.added', 'success', position FROM audit_event WHERE id = $2`,
      [added, ids[1]],
    );
    const { code, faults: found } = await faults();
    expect([code, found]).toEqual([1, [{ kind: 'event_added', event_id: added }]]);
  });

  it.each([
    ['entries', `entries = set_byte(entries, 40, get_byte(entries, 40) # 1)`],
    ['token', `token = left(token, -6) || 'AAAAAA'`],
  ])('names a root whose %s were changed', async (_, change) => {
    const [root] = await service.query<{ number: string }>('SELECT max(number) AS number FROM audit_root');
    await tamper(service, 'audit_root', `UPDATE audit_root SET ${change} WHERE number = $1`, [root!.number]);
    expect(await faults()).toEqual({ code: 1, faults: [{ kind: 'root_changed', root: Number(root!.number) }] });
  });

  it('names a root that was signed with a key that the service did not make', async () => {
    await service.query(
      `UPDATE audit_chain_key SET private_key = replace(private_key, 'enc:v1:test:', 'enc:v1:none:')`,
    );
    const { faults: found } = await faults();
    await service.query(
      `UPDATE audit_chain_key SET private_key = replace(private_key, 'enc:v1:none:', 'enc:v1:test:')`,
    );
    expect(found).toEqual([expect.objectContaining({ kind: 'root_changed' })]);
  });

  it('cannot be changed by a statement that does not switch off the triggers', async () => {
    await expect(service.query('DELETE FROM audit_root')).rejects.toThrow('append-only');
    await expect(service.query(`UPDATE audit_root SET token = 'x'`)).rejects.toThrow('append-only');
    await expect(service.query('TRUNCATE audit_root')).rejects.toThrow('append-only');
  });
});

describe('the chain of the audit log', () => {
  withServicePerTest((started) => {
    service = started;
  });

  it('covers the first act of a new service, and says what no root covers', async () => {
    await service.query(
      `INSERT INTO audit_event (id, at, action, outcome, position)
       VALUES ($1, now() - interval '1 day', 'trial.old', 'success', NULL)`,
      [newId()],
    );
    await extend();
    await writeEvents(service, { count: 2, action: 'trial.new' });
    const { code, report } = await verify();
    expect([code, report]).toMatchObject([0, { unproven: { before: 1, after: 2 }, faults: [] }]);
    expect(report.proven).toBeGreaterThan(0);
    const { code: last, out } = await typedAt(service.database, 'audit verify');
    expect([last, out]).toEqual([0, expect.stringContaining('1 events before the first root, 2 since the last')]);
  });

  it('finds an event that was added before the first root', async () => {
    const id = newId();
    await service.query(
      `INSERT INTO audit_event (id, action, outcome, position) VALUES ($1, 'trial.old', 'success', NULL)`,
      [id],
    );
    expect((await verify()).report.faults).toEqual([{ kind: 'event_added', event_id: id }]);
  });

  it('names an event from before the update that was given to an organization', async () => {
    const give = (action: string): Promise<void> =>
      tamper(service, 'audit_event', 'UPDATE audit_event SET organization_id = $2 WHERE action = $1', [
        action,
        newId(),
      ]);
    const place = { position: '0', id: FIRST_ID };
    const entries = Buffer.alloc(0);
    const keys = service.app.get(AuditChainKeysService, { strict: false });
    const claims = { number: 1, previous: null, from: place, to: place, events: 0, last_at: Date.now() };
    const token = await keys.sign({ ...claims, root: sha256(entries) });
    await tamper(service, 'audit_root', 'DELETE FROM audit_root');
    const roots = service.app.get(AuditRootRepository, { strict: false });
    await roots.insert({ number: '1', token, events: 0, lastAt: new Date(), entries });
    const from = new Date(Date.now() + 1).toISOString();
    await writeEvents(service, { count: 1, action: 'trial.before' });
    await extendAsFormer();
    // The new version starts beside the former one, which still adds roots.
    await service.another();
    const since = new Date(Date.now() + 1).toISOString();
    await writeEvents(service, { count: 1, action: 'trial.during' });
    await give('trial.during');
    await extendAsFormer();
    for (const part of ['', `--from ${from}`, `--from ${since}`]) {
      expect((await verify(part)).report.faults).toEqual([]);
    }
    await give('trial.before');
    const [event] = await service.query<{ id: string }>(`SELECT id FROM audit_event WHERE action = 'trial.before'`);
    for (const part of ['', `--from ${from}`]) {
      expect((await verify(part)).report.faults).toEqual([{ kind: 'event_changed', event_id: event!.id }]);
    }
  });

  it('names deleted roots, also the last ones by those that were printed before', async () => {
    for (let count = 0; count < 3; count++) {
      await writeEvents(service, { count: 1, action: 'trial.act' });
      await extend();
    }
    const known = await rootsNow();
    expect((await verify('--known', known)).report).toMatchObject({ faults: [] });
    const lines = known.trim().split('\n');
    const numbers = lines.map((line) => (JSON.parse(line) as { number: number }).number);
    const [middle, last] = [numbers.at(-2), numbers.at(-1)];
    await tamper(service, 'audit_root', 'DELETE FROM audit_root WHERE number = $1', [middle]);
    expect((await verify()).report.faults).toEqual([{ kind: 'root_missing', root: middle }]);
    await tamper(service, 'audit_root', 'DELETE FROM audit_root WHERE number >= $1', [middle]);
    expect((await verify()).code).toBe(0);
    const { report } = await verify('--known', known);
    expect(report.faults).toEqual([middle, last].map((root) => ({ kind: 'root_missing', root })));
  });

  it('is extended by one instance at a time, with each event in one root', async () => {
    const other = await service.another();
    await writeEvents(service, { count: 50, action: 'trial.act' });
    await Promise.all([service, other, service, other].map((on) => chainOf(on).extend()));
    await extend();
    const { report } = await verify();
    expect(report).toMatchObject({ faults: [], unproven: { after: 0 } });
    await service.app.get(AuditChainJob, { strict: false }).run();
    expect((await verify()).report.roots).toBe(report.roots);
  });
});
