import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sizeThreadPool } from './thread-pool';

describe('sizeThreadPool', () => {
  const before = process.env['UV_THREADPOOL_SIZE'];

  const folder = mkdtempSync(join(tmpdir(), 'castellan-pipe-'));

  const sizeFor = (cores: number): string | undefined => {
    sizeThreadPool(cores);
    return process.env['UV_THREADPOOL_SIZE'];
  };

  beforeEach(() => {
    delete process.env['UV_THREADPOOL_SIZE'];
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
    if (before === undefined) delete process.env['UV_THREADPOOL_SIZE'];
    else process.env['UV_THREADPOOL_SIZE'] = before;
  });

  it.each([
    { cores: 1, size: '4' },
    { cores: 2, size: '4' },
    { cores: 16, size: '18' },
  ])('sets $size threads on $cores cores', ({ cores, size }) => {
    expect(sizeFor(cores)).toBe(size);
  });

  it('keeps the size from the environment', () => {
    process.env['UV_THREADPOOL_SIZE'] = '3';
    expect(sizeFor(16)).toBe('3');
  });

  it('takes effect in a running process', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // A reader of the pipe holds a thread until a writer opens it, so with four threads the writer never runs.
    const script = `process.env.UV_THREADPOOL_SIZE = '5';
      const { open } = require('node:fs');
      for (let reader = 0; reader < 4; reader++) open(${JSON.stringify(pipe)}, 'r', () => {});
      open(${JSON.stringify(pipe)}, 'w', () => process.stdout.write('a fifth'));`;
    const said = execFileSync(process.execPath, ['-e', script], { env: {}, timeout: 20_000 });
    expect(said.toString()).toBe('a fifth');
  });
});
