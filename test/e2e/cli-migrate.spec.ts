import { migrations } from '../../migrations';
import { Ran, typedAt } from '../support/command-line';
import { TestService } from '../support/test-service';

describe('migrations on the command line', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await TestService.start();
  });

  afterEach(() => service.stop());

  const run = (line: string): Promise<Ran> => typedAt(service.database, line);

  it('says of each migration whether it has run', async () => {
    const { code, out } = await run('migrate status');
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toEqual(migrations.map(({ name }) => `has run\t${name}`));
    expect((await run('migrate plan')).out).toBe('-- Nothing waits.\n');
    expect((await run('migrate run')).out).toBe('Nothing waits.\n');
  });

  it('plans without doing, then runs, and other commands wait for it', async () => {
    const last = migrations.at(-1)!;
    await service.query('DELETE FROM castellan_migration WHERE name = $1', [last.name]);
    const undo: string[] = [];
    await new last().down({ query: async (sql: string) => undo.push(sql) } as never);
    for (const sql of undo) await service.query(sql);

    expect((await run('migrate status')).out).toContain(`waits\t${last.name}\n`);
    const plan = await run('migrate plan');
    expect(plan.out).toMatch(new RegExp(`^-- Each migration is one transaction: .+\\n\\n-- ${last.name}\\n(.*\\n)+$`));
    expect((await run('migrate status')).out).toContain(`waits\t${last.name}\n`);
    const early = await run('settings export');
    expect([early.code, early.out]).toEqual([1, '']);
    expect(early.err).toContain('migrate run');

    expect((await run('migrate run')).out).toBe(`${last.name}\n`);
    expect((await run('migrate status')).out).not.toContain('waits');
  });

  /** As before a migration that made nothing but indexes. */
  const forget = (...names: string[]): Promise<unknown> =>
    service.query('DELETE FROM castellan_migration WHERE name = ANY($1::text[])', [names]);

  it('says what is locked, how and for what work, and how much there is of it', async () => {
    await service.query('ANALYZE session');
    await forget('IndexSessionsByWhatStays1760008000100', 'RefreshSessionsInPlace1760008000200');
    const { out } = await run('migrate plan');
    expect(out).toMatch(
      /^-- locks session while all of it is read \(SHARE: writes wait, reads go on\); about \d+ rows, \d+ \w+\nCREATE INDEX session_by_purge ON session \(purge_at\);$/m,
    );
    // By the table that the index is of.
    expect(out).toMatch(
      /^-- locks session for a moment \(ACCESS EXCLUSIVE: reads and writes wait\); .+\nDROP INDEX session_by_user;$/m,
    );
  });

  it('counts the partitions of a table with it, and says nothing of one that is still to be made', async () => {
    await forget('NameWholePermissionsInAudit1760009001000', 'KeepLogoutNotices1760010000000');
    await service.query('DROP TABLE logout_notice');
    const { out } = await run('migrate plan');
    expect(out).toMatch(/^-- locks audit_event .+; (?!0 bytes).+\nALTER TABLE audit_event ALTER COLUMN target_id/m);
    expect(out).toContain('\nCREATE TABLE logout_notice');
    expect(out).not.toContain('locks logout_notice');
  });
});
