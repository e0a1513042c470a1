import { ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = resolve(__dirname, '../../..');
/** The build of this run, as a folder. Set by the global setup. */
const SHARED = 'CASTELLAN_TEST_BUILD';

/** The encryption key of the processes, as `TEST_KEYS`, whose module loads the whole service. */
export const PROCESS_KEYS = `test:${Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64url')}`;

/** A build of the service for this test file and a parent for data folders. */
export interface Build {
  readonly folder: string;
  /** The entry file of a process: the bundle of the container image, which starts in less than half the time. */
  readonly main: string;
  /** A path of a folder that does not exist yet. */
  freshFolder(): string;
  remove(): void;
}

/** Names the folder of the build that the test files of this run share. The first that needs it builds. */
export function prepareSharedBuild(): void {
  process.env[SHARED] = freshBuildFolder('build-');
}

export function removeSharedBuild(): void {
  const shared = process.env[SHARED];
  if (shared !== undefined) rmSync(shared, { recursive: true, force: true });
}

function freshBuildFolder(prefix: string): string {
  mkdirSync(join(ROOT, '.tmp'), { recursive: true });
  return mkdtempSync(join(ROOT, '.tmp', prefix));
}

/** Builds like `npm run build` and `npm run build:image`, but into another folder, because a server may be running from `dist`. */
function buildInto(folder: string): void {
  const swc = (from: string, to: string): void => {
    const arguments_ = [from, '-d', join(folder, to), '--strip-leading-paths', '--ignore', '**/*.spec.ts', '-q'];
    execFileSync(process.execPath, [join(ROOT, 'node_modules/@swc/cli/bin/swc.js'), ...arguments_], { cwd: ROOT });
  };
  swc('src', 'dist');
  swc('migrations', 'dist/migrations');
  for (const part of ['package.json', 'i18n']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  execFileSync(process.execPath, [join(ROOT, 'deploy/image/bundle.mjs'), '--from', folder]);
}

/** Several workers may build at the same time. The first result is used. */
function sharedBuild(): string {
  const shared = process.env[SHARED] ?? '';
  const finished = join(shared, 'finished');
  if (existsSync(finished)) return finished;
  const own = mkdtempSync(join(shared, 'unfinished-'));
  buildInto(own);
  try {
    renameSync(own, finished);
  } catch (error) {
    if (!existsSync(finished)) throw error;
  }
  return finished;
}

/** A private copy of the build, because tests change its files. */
export function buildService(): Build {
  const folder = freshBuildFolder('service-');
  cpSync(sharedBuild(), folder, { recursive: true });
  let folders = 0;
  return {
    folder,
    main: join(folder, 'dist/server/start.cjs'),
    freshFolder: () => join(folder, `data-${++folders}`),
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The same build, which loads its modules one by one, as `npm start` does. */
export const unbundled = (build: Build): Build => ({ ...build, main: join(build.folder, 'dist/main.js') });

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

/** The built service in a separate process. */
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

  /** Starts the process. Of the present environment only `PATH` is passed on. */
  static start({ folder, main }: Pick<Build, 'folder' | 'main'>, environment: Record<string, string>): ServiceProcess {
    const env = { PATH: process.env['PATH'] ?? '', PORT: '0', LOG_FORMAT: 'json', ...environment };
    return new ServiceProcess(spawn(process.execPath, [main], { env, cwd: folder }));
  }

  /** The address it listens at. Rejects when the process ends first. */
  get ready(): Promise<string> {
    return this.listening;
  }

  /** Lines of standard output, which include the log. */
  get lines(): readonly string[] {
    return this.out;
  }

  /** Stops reading the log, so that the pipe fills up and then the buffer of the service. */
  stopReading(): void {
    this.child.stdout!.pause();
  }

  readOn(): void {
    this.child.stdout!.resume();
  }

  /** Closes the pipe of the log. */
  leaveOutput(): void {
    this.child.stdout!.destroy();
  }

  get stderr(): string {
    return this.errors;
  }

  /** Sends the signal and waits for the end. */
  async end(signal: NodeJS.Signals): Promise<Exit> {
    this.child.kill(signal);
    return this.exit;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

/** Ends processes that a failed test left running. */
export async function endServiceProcesses(): Promise<void> {
  await Promise.all([...running].map((service) => service.end('SIGKILL')));
}
