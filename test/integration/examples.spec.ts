import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../support/servers/redis-server';

const examples = join(__dirname, '../../examples');
const PAGES = ['oidc-spa/serve.mjs', 'spa/serve.mjs', 'resource-server/server.mjs'];
const CLIENTS = [
  'oidc-server/server.mjs',
  'oidc-spa/serve.mjs',
  'resource-server/machine.mjs',
  'resource-server/user.mjs',
  'gateways/authorizer.mjs',
];
const READERS = ['oidc-server/server.mjs', 'gateways/authorizer.mjs'];
const CLIENT = { CLIENT_ID: 'of-castellan', CLIENT_SECRET: 'of-castellan' };

/** Exit code and output of an example that cannot start. */
async function endOf(file: string, environment: Record<string, string>): Promise<{ code: unknown; said: string }> {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [join(examples, file)], { env: { PATH, ...environment } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, said };
}

describe('an example that cannot start prints the reason in one line', () => {
  let other: Server;
  let port: string;

  beforeAll(async () => {
    other = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    port = String((other.address() as AddressInfo).port);
  });

  afterAll(async () => {
    other.close();
    await once(other, 'close');
  });

  it.each(PAGES)('%s, when its port is in use', async (file) => {
    const { code, said } = await endOf(file, { ...CLIENT, PORT: port });
    expect(code).toBe(1);
    expect(said).toMatch(/^PORT \d+ cannot be used: [^\n]*EADDRINUSE[^\n]*\n$/);
  });

  it.each(CLIENTS)('%s, without a client', async (file) => {
    const { code, said } = await endOf(file, {});
    expect(code).toBe(1);
    expect(said).toMatch(/^Set CLIENT_ID [^\n]+\n$/);
  });

  it.each(READERS)('%s, when the issuer does not match', async (file) => {
    const { code, said } = await endOf(file, { ...CLIENT, ISSUER: `http://127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(said).toMatch(/^ISSUER http:\S+ is not a running Castellan: [^\n]+\n$/);
  });

  it.each(READERS)('%s, when the issuer is unreachable', async (file) => {
    const { code, said } = await endOf(file, {
      ...CLIENT,
      ISSUER: `http://127.0.0.1:${await freePort()}`,
    });
    expect(code).toBe(1);
    expect(said).toMatch(/^ISSUER http:\S+ is not a running Castellan: [^\n]*ECONNREFUSED[^\n]*\n$/);
  });
});
