import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../support/service/raw-http';
import { TestService } from '../support/service/test-service';

/** A proxy sends the requests of many clients over one connection. */
describe('requests over one keep-alive connection', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const sockets = new Set<unknown>();
  let service: TestService;
  let port: number;

  beforeAll(async () => {
    service = await TestService.start({ environment: { ALLOWED_HOSTS: 'id.example.com,other.example.com' } });
    port = await listen(service.app);
  });

  afterAll(async () => {
    agent.destroy();
    await service.stop();
  });

  const ask = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: '/api/info', agent, headers }, (answer) => {
        text(answer).then(() => {
          resolve(answer.statusCode ?? 0);
        }, reject);
      });
      sent
        .on('error', reject)
        .on('socket', (socket) => sockets.add(socket))
        .end();
    });

  const clientsSeen = (): unknown[] =>
    service.logLines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ route }) => route === '/api/info')
      .map(({ ip }) => ip);

  it('are each evaluated with their own client address and host', async () => {
    const host = 'id.example.com';
    const clients = ['198.51.100.1', '198.51.100.2', '198.51.100.1'];
    for (const client of clients) expect(await ask({ host, 'x-forwarded-for': client })).toBe(200);
    expect(clientsSeen()).toEqual(clients);
    expect(await ask({ host: 'elsewhere.example.net' })).toBe(400);
    expect(await ask({ host: 'other.example.com' })).toBe(200);
    expect(await ask({ host, 'x-forwarded-host': 'elsewhere.example.net' })).toBe(400);
    expect(sockets.size).toBe(1);
  });
});
