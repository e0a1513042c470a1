import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../service/eventually';
import { hasServer } from '../service/on-server';

/** Path of nginx on Debian. Set `NGINX` for another. */
export const nginxProgram = process.env['NGINX'] ?? '/usr/sbin/nginx';

const missing = !hasServer
  ? 'TEST_DATABASE_URL is not set'
  : !existsSync(nginxProgram) && `there is no nginx at ${nginxProgram}`;

/** `describe` with TEST_DATABASE_URL and an installed nginx. Otherwise it skips and prints the reason. */
export function describeWithNginx(name: string, tests: () => void): void {
  if (missing !== false) process.stdout.write(`${missing}; skipped: ${name}\n`);
  (missing === false ? describe : describe.skip)(name, tests);
}

/** An nginx with the configuration of a test. Files under `/tmp` in it go to a private folder. */
export class NginxServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
  ) {}

  /** Resolves when the URL responds. */
  static async started(configuration: string, url: string): Promise<NginxServer> {
    const folder = await mkdtemp(join(tmpdir(), 'castellan-nginx-'));
    const file = join(folder, 'nginx.conf');
    await writeFile(file, configuration.replaceAll(' /tmp/', ` ${folder}/`));
    const child = spawn(nginxProgram, ['-p', folder, '-c', file, '-g', 'daemon off;'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const server = new NginxServer(child, folder);
    await eventually(
      async () => {
        if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}: ${said}`);
        return fetch(url).catch(() => undefined);
      },
      (answer) => answer !== undefined,
      30,
    );
    return server;
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGQUIT');
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}
