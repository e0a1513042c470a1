import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const JEST = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--config', 'scripts/mutations/jest.config.cjs'];

/** A temporary copy of the source tree, in which one file at a time is mutated. */
export class TreeCopy {
  constructor(root) {
    this.root = root;
    this.folder = mkdtempSync(join(tmpdir(), 'castellan-mutations-'));
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
    for (const file of new Set(listed.toString().split('\0'))) {
      if (file === '' || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      copyFileSync(join(root, file), join(this.folder, file));
    }
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'));
  }

  write(file, text) {
    writeFileSync(join(this.folder, file), text);
  }

  restore(file) {
    copyFileSync(join(this.root, file), join(this.folder, file));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs the specs in one process. Resolves with `{ result: 'passed' | 'failed' | 'timeout', failure }`. */
  run(specs, timeoutMs) {
    const child = spawn(process.execPath, [...JEST, '--runInBand', '--bail', '--silent'], {
      cwd: this.folder,
      env: { ...process.env, MUTATION_SPECS: JSON.stringify(specs) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let [output, isLate] = ['', false];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-200_000)));
    }
    // The process group, because a spec may have started servers.
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid, 'SIGKILL');
    }, timeoutMs);
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        const result = isLate ? 'timeout' : code === 0 ? 'passed' : 'failed';
        resolve({ result, failure: result === 'failed' ? firstFailure(output) : undefined, output });
      });
    });
  }
}

const firstFailure = (output) => /^ {2}● (.*)$/m.exec(output)?.[1].replace(/\s+/g, ' ') ?? output.trim().slice(-300);
