import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUILT = ['dist/main.js', 'dist/service-guard/server/index.js', 'dist/server/server.js'];

describe('the tarball of castellan', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'castellan-packed-'));
    const { name, version, files } = JSON.parse(
      await readFile(join(__dirname, '../../package.json'), 'utf8'),
    ) as Record<string, unknown>;
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version, files }));
    for (const file of BUILT) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), '');
    }
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('leaves out the bundle of the container image', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: folder });
    const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    expect(
      packed.files
        .map(({ path }) => path)
        .filter((path) => path.startsWith('dist/'))
        .sort(),
    ).toEqual(['dist/main.js', 'dist/service-guard/server/index.js']);
  }, 60_000);
});
