import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/service/eventually';
import { nginxProgram } from '../support/servers/nginx-server';
import { freePort } from '../support/servers/redis-server';

const example = join(__dirname, '..', '..', 'examples', 'nginx');

export interface RunningNginx {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the example as in its README, but on free ports. */
export async function startNginx(servicePort: number): Promise<RunningNginx> {
  if (!existsSync(nginxProgram)) throw new Error(`No nginx at ${nginxProgram}: install nginx-light or set NGINX`);
  const folder = await mkdtemp(join(tmpdir(), 'castellan-nginx-'));
  await cp(example, folder, { recursive: true, filter: (path) => !path.endsWith('.tmp') });
  const port = await freePort();
  const ports = [
    ['8080', port],
    ['8081', await freePort()],
    ['4000', servicePort],
  ] as const;
  let configuration = await readFile(join(folder, 'nginx.conf'), 'utf8');
  for (const [written, real] of ports) {
    configuration = configuration.replaceAll(`127.0.0.1:${written}`, `127.0.0.1:${real}`);
  }
  await writeFile(join(folder, 'nginx.conf'), configuration);

  const readme = await readFile(join(example, 'README.md'), 'utf8');
  const [, script = ''] = /```sh\n([^]*?nginx -p[^]*?)```/.exec(readme) ?? [];
  const command = script.replace('cd examples/nginx', `cd ${folder}`).replace('nginx -p', `exec ${nginxProgram} -p`);
  const child = spawn('bash', ['-ec', command], { stdio: ['ignore', 'inherit', 'inherit'] });
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`nginx exited with ${child.exitCode}`);
      return fetch(`${url}/_signin/renew.html`).catch(() => undefined);
    },
    (answer) => answer?.status === 200,
    30,
  );
  return {
    url,
    port,
    stop: async () => {
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
