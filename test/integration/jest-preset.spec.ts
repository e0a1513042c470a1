import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(__dirname, '../..');
const JEST = join(root, 'node_modules/jest/bin/jest.js');

describe('the Jest preset of hosts', () => {
  let host: string;

  const jest = async (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    run(process.execPath, [JEST, '--config', 'jest.config.json', ...args], { cwd: host }).catch(
      (error: unknown) => error as { stdout: string; stderr: string },
    );

  beforeAll(async () => {
    host = await mkdtemp(join(tmpdir(), 'castellan-preset-'));
    await mkdir(join(host, 'node_modules'));
    for (const name of ['@swc', 'typescript']) {
      await symlink(join(root, 'node_modules', name), join(host, 'node_modules', name));
    }
    await symlink(root, join(host, 'node_modules', 'castellan'));
    await writeFile(join(host, 'package.json'), JSON.stringify({ name: 'host', private: true }));
    await writeFile(join(host, 'jest.config.json'), JSON.stringify({ preset: 'castellan', rootDir: '.' }));
    await writeFile(
      join(host, 'node-runner.spec.ts'),
      "import { it } from 'node:test';\nit('never runs', () => undefined);\n",
    );
  });

  afterAll(() => rm(host, { recursive: true, force: true }));

  it('gives hooks a minute, because the first start compiles the modules of the service', async () => {
    const { stdout } = await jest('--showConfig');
    const { globalConfig } = JSON.parse(stdout) as { globalConfig: { testTimeout: number } };
    expect(globalConfig.testTimeout).toBe(60_000);
  }, 60_000);

  it('rejects a test for the runner of Node by a sentence', async () => {
    const { stderr } = await jest('node-runner');
    expect(stderr).toContain('This test uses the runner of Node (node:test), but Jest runs it');
  }, 60_000);
});
