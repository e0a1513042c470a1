import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const JEST = [
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--config',
  'scripts/mutations/jest.config.cjs',
  '--runInBand',
  '--bail',
  '--silent',
];
/** What is no longer used does not count: no behaviour depends on it. */
const UNUSED = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
const TYPE_CHECK = ['node_modules/typescript/bin/tsc', '--noEmit', '-p', '.', ...UNUSED];
const ENDS = new Set(['SIGTERM', 'SIGINT', 'SIGKILL']);
const MAX_RUNS = 3;

/** A temporary copy of the source tree, in which one file at a time is mutated. */
export class TreeCopy {
  /** The process group of the specs that run now. */
  #running;

  constructor(root) {
    this.root = root;
    this.folder = mkdtempSync(join(tmpdir(), 'castellan-mutations-'));
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of new Set(listed.toString().split('\0'))) {
      if (file === '' || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      copyFileSync(join(root, file), join(this.folder, file));
    }
    symlinkSync(realpathSync(join(root, 'node_modules')), join(this.folder, 'node_modules'));
  }

  /** Calls `action` while the file has the text. */
  async with({ file, text }, action) {
    const path = join(this.folder, file);
    const original = readFileSync(path, 'utf8');
    writeFileSync(path, text);
    try {
      return await action();
    } finally {
      writeFileSync(path, original);
    }
  }

  remove() {
    this.#stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Stops the specs and the servers that they started. */
  #stop() {
    if (this.#running !== undefined) process.kill(-this.#running, 'SIGKILL');
  }

  /**
   * Runs the specs in one process. Resolves with `{ result: 'passed' | 'failed' | 'timeout', failure }`. Repeats a run
   * that a signal ended, because that says nothing about the tests.
   */
  async run(specs, timeoutMs) {
    for (let left = MAX_RUNS; left > 0; left--) {
      const { signal, ...outcome } = await this.#runOnce(JEST, { MUTATION_SPECS: JSON.stringify(specs) }, timeoutMs);
      if (!signal) return outcome;
    }
    throw new Error(`A signal ended the tests ${MAX_RUNS} times`);
  }

  /** Whether the types are right, which the specs run without checking. A check that was ended finds nothing. */
  async compiles(timeoutMs) {
    const { result, signal } = await this.#runOnce(TYPE_CHECK, {}, timeoutMs);
    return result !== 'failed' || signal;
  }

  #runOnce(command, environment, timeoutMs) {
    const child = spawn(process.execPath, command, {
      cwd: this.folder,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#running = child.pid;
    let [output, isLate] = ['', false];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-200_000)));
    }
    const timer = setTimeout(() => {
      isLate = true;
      this.#stop();
    }, timeoutMs);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        this.#running = undefined;
        const result = isLate ? 'timeout' : code === 0 ? 'passed' : 'failed';
        const failure = result === 'failed' ? firstFailure(output) : undefined;
        resolve({ result, failure, signal: !isLate && ENDS.has(signal) });
      });
    });
  }
}

const firstFailure = (output) => /^ {2}● (.*)$/m.exec(output)?.[1].replace(/\s+/g, ' ') ?? output.trim().slice(-300);
