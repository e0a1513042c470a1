import { once } from 'node:events';
import { AddressInfo, createServer } from 'node:net';
import { tryAddress } from './listening';

describe('tryAddress', () => {
  it('leaves a free address free', async () => {
    await tryAddress({ host: '127.0.0.1', port: 0 });
    await tryAddress({ host: 'localhost', port: 0 });
  });

  it('rejects a port in use, as a temporary failure', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await expect(tryAddress({ host: '127.0.0.1', port })).rejects.toMatchObject({
      exitCode: 1,
      message: `PORT is ${port}: another process listens there on 127.0.0.1; allowed: a free port, or 0 for any`,
    });
    server.close();
    await once(server, 'close');
    await tryAddress({ host: '127.0.0.1', port });
  });

  it.each(['192.0.2.1', 'no-such-host.invalid'])(
    'rejects the host %s, which is not an address of this machine',
    async (host) => {
      await expect(tryAddress({ host, port: 0 })).rejects.toMatchObject({
        exitCode: 78,
        problems: [{ variable: 'HOST', problem: `is "${host}": not an address of this machine` }],
      });
    },
  );
});
