import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtService } from '../support/service/built-service';
import { call } from '../support/service/http-caller';

jest.setTimeout(120_000);

describe('the bundled server of the container image', () => {
  const built = builtService();
  const inBuild = (...path: string[]): string => join(built.build.folder, 'dist', ...path);

  async function expectService(environment: Record<string, string> = {}): Promise<void> {
    const service = built.start(environment);
    const url = await service.ready;
    expect((await call(url, 'GET', '/api/info')).status).toBe(200);
    expect(service.stderr).toBe('');
    await service.end('SIGTERM');
  }

  it('contains code that V8 accepts', () => {
    const [file, code] = ['server.js', 'server.v8'].map((name) => JSON.stringify(inBuild('server', name)));
    const read = `const { readFileSync } = require('node:fs'); const cachedData = readFileSync(${code});
      new (require('node:vm').Script)(readFileSync(${file}, 'latin1'), { filename: ${file}, cachedData }).cachedDataRejected`;
    expect(execFileSync(process.execPath, ['-p', read], { encoding: 'utf8' }).trim()).toBe('false');
  });

  it('starts without the modules', async () => {
    for (const module of ['main.js', 'standalone/serve.js']) rmSync(inBuild(module));
    await expectService();
  });

  // Each package that is found, read and compiled beside the bundle makes every start slower and uses memory
  // permanently.
  it('loads only the packages that cannot be bundled', async () => {
    const embedded = { DATABASE_URL: '', DATA_DIR: built.build.freshFolder() };
    await expectService(embedded);
    const [watch, list] = [inBuild('watch.cjs'), inBuild('packages.json')];
    writeFileSync(
      watch,
      `const { Module } = require('node:module');
      process.once('exit', () => {
        const packages = Object.keys(Module._cache).map((file) => /.*node_modules.((?:@[^/]+.)?[^/]+)/.exec(file)?.[1]);
        require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify([...new Set(packages)]));
      });`,
    );
    // A password of the environment is compared with the list of common ones, a package; the administrator exists now.
    await expectService({ ...embedded, ADMIN_PASSWORD: '', NODE_OPTIONS: `--require ${watch}` });
    const packages = (JSON.parse(readFileSync(list, 'utf8')) as (string | null)[]).filter((name) => name !== null);
    const ofPg = /^(pg|pg-[a-z0-9-]+|postgres-[a-z]+|xtend)$/;
    expect(packages.filter((name) => !ofPg.test(name)).sort()).toEqual(['@electric-sql/pglite', 'swagger-ui-dist']);
  });

  it('starts with a code cache of another V8, a truncated one, and none', async () => {
    const code = inBuild('server', 'server.v8');
    // V8 also compares its flags with those of the cache.
    await expectService({ NODE_OPTIONS: '--stack-trace-limit=20' });
    truncateSync(code, Math.floor(readFileSync(code).length / 2));
    await expectService();
    writeFileSync(code, '');
    await expectService();
    rmSync(code);
    await expectService();
  });
});
