import { migrations } from '../../migrations';
import { Ran, typedAt, typedOn } from '../support/service/command-line';
import { TestService } from '../support/service/test-service';

describe('migrate', () => {
  let service: TestService;

  beforeEach(async () => {
    service = await TestService.start();
  });

  afterEach(() => service.stop());

  const run = (line: string): Promise<Ran> => typedOn(service, line);
  const runApart = (line: string): Promise<Ran> => typedAt(service.database, line);

  it('shows for each migration whether it has run', async () => {
    const { code, out } = await runApart('migrate status');
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toEqual(migrations.map(({ name }) => `applied\t${name}`));
    expect((await run('migrate plan')).out).toBe('-- No pending migrations.\n');
    expect((await run('migrate run')).out).toBe('No pending migrations.\n');
  });

  it('prints the plan with the values of the parameters', async () => {
    await service.query(`DELETE FROM castellan_migration WHERE name = 'KeepNamesOfCookies1760011000000'`);
    const { out } = await runApart('migrate plan');
    expect(out).toMatch(/^-- \$1: "kept by the upgrade"\nWITH kept AS/m);
  });

  it('prints the plan without running it, then runs it, and makes other commands wait', async () => {
    const last = migrations.at(-1)!;
    await service.query('DELETE FROM castellan_migration WHERE name = $1', [last.name]);
    await new last().down({ query: (sql: string, values?: unknown[]) => service.query(sql, values) } as never);

    expect((await run('migrate status')).out).toContain(`pending\t${last.name}\n`);
    const plan = await run('migrate plan');
    expect(plan.out).toMatch(new RegExp(`^-- Each migration is one transaction: .+\\n\\n-- ${last.name}\\n(.*\\n)+$`));
    expect((await run('migrate status')).out).toContain(`pending\t${last.name}\n`);
    const early = await runApart('settings export');
    expect([early.code, early.out]).toEqual([1, '']);
    expect(early.err).toContain('migrate run');

    expect((await runApart('migrate run')).out).toBe(`${last.name}\n`);
    expect((await run('migrate status')).out).not.toContain('pending');
  });
});
