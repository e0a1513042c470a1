import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sizeThreadPool } from './thread-pool';

describe("libuv's threads", () => {
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
  ])('are $size on $cores cores', ({ cores, size }) => {
    expect(sizeFor(cores)).toBe(size);
  });

  it('are as many as the environment says', () => {
    process.env['UV_THREADPOOL_SIZE'] = '3';
    expect(sizeFor(16)).toBe('3');
  });

  it('can be told by a process that has begun', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Whoever opens it for reading holds a thread until somebody opens it for writing: with four, nobody ever does.
    const script = `process.env.UV_THREADPOOL_SIZE = '5';
      const { open } = require('node:fs');
      for (let reader = 0; reader < 4; reader++) open(${JSON.stringify(pipe)}, 'r', () => {});
      open(${JSON.stringify(pipe)}, 'w', () => process.stdout.write('a fifth'));`;
    const said = execFileSync(process.execPath, ['-e', script], { env: {}, timeout: 20_000 });
    expect(said.toString()).toBe('a fifth');
  });
});
