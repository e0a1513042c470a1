import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import { join } from 'node:path';
import { builtService } from '../support/service/built-service';
import { eventually } from '../support/service/eventually';

jest.setTimeout(120_000);

interface Ended {
  readonly code: number | null;
  readonly err: string;
}

describe('command line', () => {
  const built = builtService();

  beforeAll(async () => {
    // Creates the first administrator, so that the export has a user.
    const service = built.start();
    await service.ready;
    await service.end('SIGTERM');
  });

  const cli = (): string => join(built.build.folder, 'dist/cli.js');

  /** Runs a shell command, which may redirect the output. */
  const inShell = async (command: string): Promise<Ended> => {
    const env = { PATH: process.env['PATH'] ?? '', CLI: `${process.execPath} ${cli()}`, ...built.environment };
    const child = spawn('bash', ['-o', 'pipefail', '-c', command], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    let err = '';
    child.stderr.on('data', (text: Buffer) => (err += text.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, err };
  };

  it.each(['help', 'migrate status', 'settings export', 'export'])(
    'reports in one line that the output of "%s" cannot be written, and fails',
    async (command) => {
      expect(await inShell(`$CLI ${command} > /dev/full`)).toEqual({
        code: 1,
        err: 'Cannot write the output: ENOSPC\n',
      });
    },
  );

  it.each(['help', 'migrate status', 'settings export', 'export'])(
    'ends "%s" silently when its reader closes the pipe',
    async (command) => {
      expect(await inShell(`$CLI ${command} | true`)).toEqual({ code: 0, err: '' });
    },
  );

  it('fails without a stack trace when its error output is closed', async () => {
    expect((await inShell('$CLI burn 2>&1 | true')).code).toBe(2);
    expect((await inShell('$CLI burn 2> /dev/full')).code).toBe(2);
  });

  describe('with an unreachable database', () => {
    let silent: Server;

    beforeAll(async () => {
      silent = createServer((socket) => socket.on('error', () => undefined).resume());
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    });

    afterAll(async () => {
      await new Promise((resolve) => silent.close(resolve));
    });

    it.each([
      ['refuses', () => 1],
      ['does not respond', () => (silent.address() as { port: number }).port],
    ])('prints once, and soon, what it waits for when the server %s', async (_how, portOf) => {
      const port = portOf();
      const env = {
        ...built.environment,
        PATH: process.env['PATH'] ?? '',
        DATABASE_URL: `postgres://ann:s3cret@127.0.0.1:${port}/nothing`,
      };
      const child = spawn(process.execPath, [cli(), 'settings', 'export'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      let told = '';
      child.stdout.on('data', (text: Buffer) => (told += text.toString()));
      child.stderr.on('data', (text: Buffer) => (told += text.toString()));
      try {
        const line = await eventually(
          async () => told,
          (text) => text.endsWith('\n'),
          10,
        );
        expect(line).toMatch(/^[^\n]+ The database is out of reach; waiting for it [^\n]+\n$/);
        expect(line).toContain(`{"server":"127.0.0.1:${port}","seconds":60}`);
        expect(line).not.toContain('s3cret');
      } finally {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
      expect(told.trim().split('\n')).toHaveLength(1);
    });
  });
});
