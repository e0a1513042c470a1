import type { IncomingMessage } from 'node:http';
import { connect, Socket } from 'node:net';
import { Database, DatabaseHealthMonitor } from '../../src/platform/database';
import { ProblemResponderService } from '../../src/platform/http/problems';
import { listen, requestBytes } from '../support/service/raw-http';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

/** A request whose body never ends. */
const HALF = [
  'POST /api/auth/login HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 100',
  '',
  '{"type":"password",',
].join('\r\n');

describe('a client that disconnects before the response', () => {
  let service: TestService;
  let port: number;

  withService(async (started) => {
    service = started;
    port = await listen(service.app);
  });

  afterEach(() => {
    jest.restoreAllMocks();
    service.logLines.length = 0;
  });

  function send(bytes: string): Socket {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    return socket;
  }

  const requests = (): Readonly<Record<string, unknown>>[] =>
    service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === 'request');

  const isThere = (found: readonly unknown[]): boolean => found.length > 0;

  it('in the middle of its body does not count as a database failure', async () => {
    const handled = jest.spyOn(service.app.get(ProblemResponderService), 'send');
    const report = jest.spyOn(service.app.get(DatabaseHealthMonitor), 'report');
    const begins = new Promise<IncomingMessage>((resolve) => service.app.getHttpServer().once('request', resolve));
    const socket = send(HALF);
    const request = await begins;
    await eventually(
      async () => request.listenerCount('data'),
      (readers) => readers > 0,
    );
    socket.destroy();
    await eventually(async () => handled.mock.calls, isThere);
    expect(report).not.toHaveBeenCalled();
    expect(requests()).toMatchObject([{ route: '/api/auth/login', status: 499 }]);
  });

  it('while the response is prepared is logged and counted once', async () => {
    let answer = (): void => {};
    const asked = new Promise<void>((begun) => {
      jest.spyOn(service.app.get(Database), 'ping').mockImplementation(() => {
        begun();
        return new Promise((resolve) => {
          answer = resolve;
        });
      });
    });
    const socket = send(requestBytes('GET', '/health/ready'));
    await asked;
    socket.destroy();
    const [line] = await eventually(async () => requests(), isThere);
    expect(line).toMatchObject({ method: 'GET', route: '/health/ready', status: 499, ip: '127.0.0.1' });

    answer();
    const { text } = await service.client().get('/metrics', { remoteAddress: '127.0.0.1' });
    expect(text).toContain('castellan_http_request_seconds_count{method="GET",route="/health/ready",status="499"} 1');
    expect(requests().filter(({ route }) => route === '/health/ready')).toHaveLength(1);
  });
});
