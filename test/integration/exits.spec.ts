import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { calmEnd } from '../../src/standalone/calm-end';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Scripts that only start other processes, print a line or rewrite a file, so no compilation is pending at their end, and a module of the pages. */
const IDLE = new Set([
  'at-once.mjs',
  'dev.mjs',
  'fuzz.mjs',
  'reliability.mjs',
  'say-skipped.mjs',
  'screenshots.mjs',
  'calm-end.mjs',
  'slim.mjs',
  'react-on-preact.mjs',
  'keep-optional.mjs',
]);
const scripts = ['scripts', 'packages/client', 'web', 'deploy/image'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.mjs') && !IDLE.has(name))
    .map((name) => `${folder}/${name}`),
);

/** nodejs/node#54918. scripts/check-exits.mjs tests the processes themselves. */
describe('exit after heavy work', () => {
  it.each(scripts)('is awaited at the end of %s', (script) => {
    expect(read(script)).toMatch(/^await calmEnd\(\);\n(?:process\.exit\(\);\n)?$/m);
    expect(read(script).trimEnd()).toMatch(/(?:^await calmEnd\(\);|^process\.exit\(\);)$/m);
  });

  it('happens once other threads have finished', async () => {
    const until = Date.now() + 400;
    const worker = new Worker(`while (Date.now() < ${until});`, { eval: true });
    try {
      await calmEnd(5_000);
      expect(Date.now()).toBeGreaterThanOrEqual(until);
    } finally {
      await worker.terminate();
    }
  });

  it('happens at the timeout at the latest', async () => {
    const worker = new Worker('for (;;);', { eval: true });
    const begun = performance.now();
    try {
      await calmEnd(200);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(190);
    } finally {
      await worker.terminate();
    }
  });
});

describe('pages', () => {
  it('are built in production mode, whatever NODE_ENV the build has', () => {
    const build = read('web/build.mjs');
    expect(build.indexOf("process.env.NODE_ENV = 'production'")).toBeLessThan(build.indexOf("import('vite')"));
    expect(build).toContain("mode: 'production'");
    const { scripts: commands } = JSON.parse(read('web/package.json')) as { scripts: Record<string, string> };
    expect(commands['build']).toBe('node build.mjs');
  });
});
