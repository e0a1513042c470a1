import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from './create-logger';
import { LogOutput } from './log-output';

describe('LogOutput', () => {
  let folder: string;
  let descriptor: number;
  let output: LogOutput;

  const open = (fd: number, maxPendingBytes?: number): LogOutput => {
    descriptor = fd;
    output = new LogOutput({ descriptor, maxPendingBytes });
    return output;
  };
  const openFile = (): LogOutput => open(openSync(join(folder, 'log'), 'a'));
  /** Opens both ends, so that no reader is needed, with the smallest buffer before writes block. */
  const openPipe = (maxPendingBytes: number): LogOutput => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    return open(openSync(path, constants.O_RDWR | constants.O_NONBLOCK), maxPendingBytes);
  };
  const written = (): string => readFileSync(join(folder, 'log'), 'utf8');
  const drain = (): string => {
    const buffer = Buffer.alloc(4 * 1_024 * 1_024);
    try {
      return buffer.toString('utf8', 0, readSync(descriptor, buffer));
    } catch {
      return '';
    }
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-log-'));
  });
  afterEach(() => {
    output.release();
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
  });

  it('writes every line in order and awaits them on flush', async () => {
    openFile();
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index} ü\n`);
    for (const line of lines) output.write(line);
    await output.flush();
    expect(written()).toBe(lines.join(''));
    expect(output.dropped).toBe(0);
  });

  it('flushes an empty buffer at once', async () => {
    openFile();
    await output.flush(60_000);
    expect(output.dropped).toBe(0);
  });

  it('writes the rest synchronously at the end of the process', async () => {
    openFile();
    for (let index = 0; index < 1_000; index += 1) output.write(`line ${index}\n`);
    output.flushSync();
    await output.flush();
    expect(written().trim().split('\n')).toHaveLength(1_000);
  });

  it('drops, counts and later reports lines that a stopped reader does not read, without blocking', async () => {
    openPipe(256 * 1_024);
    const logger = createLogger({ level: 'info', format: 'json', destination: output });
    const started = performance.now();
    for (let index = 0; index < 2_000; index += 1) logger.info({ index, filler: 'x'.repeat(1_000) }, 'event');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(output.dropped).toBeGreaterThan(1_000);

    let seen = '';
    const reading = setInterval(() => (seen += drain()), 5);
    await output.flush(10_000);
    // The report of the loss follows the last line.
    await output.flush(10_000);
    clearInterval(reading);
    seen += drain();

    const events = seen
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const reports = events.filter((event) => event.dropped_lines !== undefined);
    expect(reports).toEqual([expect.objectContaining({ level: 'warn', dropped_lines: output.dropped })]);
    expect(events).toHaveLength(2_000 - output.dropped + 1);
  });

  it('waits for a stopped reader only for a limited time', async () => {
    openPipe(1_024 * 1_024);
    for (let index = 0; index < 500; index += 1) output.write(`${'x'.repeat(1_000)}\n`);
    const started = performance.now();
    await output.flush(50);
    output.flushSync();
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('counts every line as dropped once the descriptor fails', async () => {
    const reader = openSync(join(folder, 'log'), 'a+');
    closeSync(reader);
    open(openSync('/dev/null', 'r'));
    output.write('lost\n');
    await output.flush();
    output.write('lost as well\n');
    expect(output.dropped).toBe(2);
  });

  it('survives a full disk', async () => {
    open(openSync('/dev/full', 'w'), 1_000);
    for (let index = 0; index < 100; index += 1) output.write(`${'x'.repeat(99)}\n`);
    await output.flush(50);
    output.flushSync();
    expect(output.dropped).toBe(90);
  });
});
