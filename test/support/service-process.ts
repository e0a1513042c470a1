import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(__dirname, '../..');

/** A build of the service for this test file alone, and room for data folders. */
export interface Build {
  readonly folder: string;
  /** What a process starts. */
  readonly main: string;
  /** A folder that is not there yet. */
  freshFolder(): string;
  remove(): void;
}

/** Builds as `npm run build` does, into a folder of its own: `dist` may be somebody's running server. */
export function buildService(): Build {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.tmp', 'service-'));
  const swc = (from: string, to: string): void => {
    const arguments_ = [from, '-d', join(folder, to), '--strip-leading-paths', '--ignore', '**/*.spec.ts', '-q'];
    execFileSync(process.execPath, [join(ROOT, 'node_modules/@swc/cli/bin/swc.js'), ...arguments_], { cwd: ROOT });
  };
  swc('src', 'dist');
  swc('migrations', 'dist/migrations');
  for (const part of ['package.json', 'i18n']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  let folders = 0;
  return {
    folder,
    main: join(folder, 'dist/main.js'),
    freshFolder: () => join(folder, `data-${++folders}`),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Adds what the container image starts. */
export function bundleBuild(build: Build): Build {
  execFileSync(process.execPath, [join(ROOT, 'deploy/image/bundle.mjs'), '--from', build.folder]);
  return { ...build, main: join(build.folder, 'dist/server/start.cjs') };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface LogLine {
  readonly msg?: string;
  readonly listens?: string;
}

const logLine = (line: string): LogLine => (line.startsWith('{') ? (JSON.parse(line) as LogLine) : {});
const running = new Set<ServiceProcess>();

/** The built service as a process of its own. */
export class ServiceProcess {
  readonly exit: Promise<Exit>;
  private readonly out: string[] = [];
  private errors = '';
  private readonly listening: Promise<string>;

  private constructor(private readonly child: ChildProcess) {
    running.add(this);
    child.stderr!.on('data', (text: Buffer) => {
      this.errors += text.toString();
    });
    this.exit = once(child, 'close').then(([code, signal]) => {
      running.delete(this);
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
    this.listening = new Promise((settle, fail) => {
      createInterface({ input: child.stdout! }).on('line', (line) => {
        this.out.push(line);
        const { msg, listens } = logLine(line);
        if (msg === 'Castellan is ready' && listens !== undefined) settle(listens);
      });
      void this.exit.then(({ code }) => {
        fail(new Error(`Ended with ${code} before it was ready: ${this.errors}`));
      });
    });
    this.listening.catch(() => undefined);
  }

  /** Starts it; nothing of this process's own environment reaches it but `PATH`. */
  static start({ folder, main }: Build, environment: Record<string, string>): ServiceProcess {
    const env = { PATH: process.env['PATH'] ?? '', PORT: '0', LOG_FORMAT: 'json', ...environment };
    return new ServiceProcess(spawn(process.execPath, [main], { env, cwd: folder }));
  }

  /** Where it listens; fails when it ends before. */
  get ready(): Promise<string> {
    return this.listening;
  }

  /** What it wrote on the standard output, line by line, its log among it. */
  get lines(): readonly string[] {
    return this.out;
  }

  /** Leaves its log where it is: in the pipe, and when that is full, with the service. */
  stopReading(): void {
    this.child.stdout!.pause();
  }

  readOn(): void {
    this.child.stdout!.resume();
  }

  /** Closes the pipe of its log. */
  leaveOutput(): void {
    this.child.stdout!.destroy();
  }

  get stderr(): string {
    return this.errors;
  }

  /** Waits for the end after the signal. */
  async end(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal);
    return this.exit;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** Ends whatever a failed test left running. */
export async function endServiceProcesses(): Promise<void> {
  await Promise.all([...running].map((service) => service.end('SIGKILL')));
}
