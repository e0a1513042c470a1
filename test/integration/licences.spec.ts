import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const script = join(__dirname, '../../scripts/licences.mjs');

const component = (licenses: object[] | undefined, name = 'thing', version = '1.2.3'): object => ({
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
  licenses,
});

const byId = (id: string): object[] => [{ license: { id } }];

describe('scripts/licences.mjs', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-licences-'));
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  function reportOf(components: object[]): { status: number | null; stdout: string; stderr: string } {
    const file = join(folder, 'sbom.json');
    writeFileSync(file, JSON.stringify({ bomFormat: 'CycloneDX', components }));
    return spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  }

  it.each([
    ['one licence', byId('MIT')],
    ['a choice with a permissive one', [{ expression: '(GPL-3.0-only OR MIT)' }]],
    ['several permissive ones', [{ expression: 'MIT AND Apache-2.0' }]],
    ['a name', [{ license: { name: 'ISC' } }]],
  ])('accepts %s', (_, licenses) => {
    const { status, stdout, stderr } = reportOf([component(licenses)]);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('| thing | 1.2.3 | ');
  });

  it.each([
    ['copyleft', byId('AGPL-3.0-only'), 'AGPL-3.0-only'],
    ['a licence that applies as well', [{ expression: 'MIT AND GPL-2.0-only' }], 'MIT AND GPL-2.0-only'],
    ['two entries of which one is copyleft', [...byId('MIT'), ...byId('GPL-2.0-only')], 'MIT AND GPL-2.0-only'],
    ['a nested expression', [{ expression: '(MIT OR (ISC AND GPL-2.0-only))' }], 'GPL-2.0-only'],
    ['no licence', undefined, 'no licence'],
    ['a text that is no identifier', byId('SEE LICENSE IN LICENSE'), 'SEE LICENSE'],
  ])('rejects %s and names the package', (_, licenses, named) => {
    const { status, stderr } = reportOf([component(byId('MIT'), 'fine'), component(licenses)]);
    expect(status).toBe(1);
    expect(stderr).toContain('thing@1.2.3: ');
    expect(stderr).toContain(named);
    expect(stderr).not.toContain('fine');
  });

  it('knows the licence of a package without one only for the version that was read', () => {
    expect(reportOf([component(undefined, 'pause', '0.0.1')]).status).toBe(0);
    expect(reportOf([component(undefined, 'pause', '0.0.2')]).status).toBe(1);
  });

  it('accepts everything that the packages bring', () => {
    const sbom = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit=dev'];
    const { stdout } = spawnSync('npm', sbom, { cwd: join(__dirname, '../..'), encoding: 'utf8', maxBuffer: 2 ** 26 });
    const { components } = JSON.parse(stdout) as { components: { name: string }[] };
    const { stderr } = reportOf(components);
    expect(stderr).toBe('');
    const names = components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['typeorm', 'react', 'preact', 'openapi-fetch']));
    expect(names.filter((name) => ['jest', 'eslint', 'vite', 'typescript'].includes(name))).toEqual([]);
  });

  it('rejects a list without packages', () => {
    expect(reportOf([])).toMatchObject({ status: 1, stderr: expect.stringContaining('no packages') as string });
  });
});
