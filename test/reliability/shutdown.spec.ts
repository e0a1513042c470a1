import { connect, Socket } from 'node:net';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BrokenConnectionError, call } from '../support/service/http-caller';
import { eventually } from '../support/service/eventually';
import { createProcessDatabase, ProcessDatabase } from '../support/service/test-database';
import { Build, buildService, endServiceProcesses, ServiceProcess } from '../support/service/service-process';

jest.setTimeout(180_000);

const PASSWORD = 'correct horse battery staple';

describe('stop signal', () => {
  let build: Build;
  let folder: string;
  let database: ProcessDatabase;

  beforeAll(async () => {
    build = buildService();
    folder = build.freshFolder();
    database = await createProcessDatabase(folder);
  });

  afterEach(endServiceProcesses);

  afterAll(async () => {
    await database.drop();
    build.remove();
  });

  const start = (more: Record<string, string> = {}): ServiceProcess =>
    ServiceProcess.start(build, { ...database.environment, ADMIN_PASSWORD: PASSWORD, ...more });
  const logged = ({ lines }: ServiceProcess, message: string): string[] =>
    lines.filter((line) => line.includes(message));

  /** A connection with a request whose body has not been sent. */
  const beginRequest = async (
    url: string,
    path = '/api/auth/login',
  ): Promise<{ socket: Socket; answer: Promise<string> }> => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let received = '';
    const answer = new Promise<string>((resolve) => {
      socket.on('data', (data) => {
        received += data.toString();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        resolve(received);
      });
    });
    const head = [
      `POST ${path} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'Content-Type: application/json',
      'Expect: 100-continue',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    // With 100 Continue the server has accepted the request.
    await new Promise<void>((resolve) => {
      socket.once('data', () => {
        resolve();
      });
    });
    return { socket, answer };
  };
  const body = JSON.stringify({ type: 'password', username: 'admin', password: PASSWORD });

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])(
    '%s lets requests in flight finish, accepts no new ones, and exits with 0',
    async (signal) => {
      const service = start();
      const url = await service.ready;
      const waiting = await beginRequest(url);
      const names = Array.from({ length: 10 }, (_, index) => `${signal.toLowerCase()}_${index}`);
      const registrations = names.map((username) =>
        call(url, 'POST', '/api/auth/register', { body: { username, password: PASSWORD } }),
      );
      await Promise.race(registrations);
      service.signal(signal);
      expect((await Promise.all(registrations)).map(({ status }) => status)).toEqual(Array<number>(10).fill(201));
      const listening = (): Promise<boolean> =>
        call(url, 'GET', '/health/live').then(
          () => true,
          (error: unknown) => !(error instanceof BrokenConnectionError),
        );
      await eventually(listening, (isListening) => !isListening);

      waiting.socket.write(body);
      const answer = await waiting.answer;
      expect(answer).toMatch(/HTTP\/1\.1 200 OK/);
      expect(answer).toMatch(/^connection: close\r$/im);
      expect(await service.exit).toEqual({ code: 0, signal: null });
      expect(logged(service, 'Stopping')).toHaveLength(1);
      expect(service.stderr).toBe('');
      expect(existsSync(join(folder, 'castellan.lock'))).toBe(false);

      const next = start();
      const again = await next.ready;
      for (const username of [names[0], names[9]]) {
        const login = { type: 'password', username, password: PASSWORD };
        expect((await call(again, 'POST', '/api/auth/login', { body: login })).status).toBe(200);
      }
      expect((await next.end('SIGTERM')).code).toBe(0);
    },
  );

  it('cuts none of two hundred requests in flight', async () => {
    const service = start();
    const url = await service.ready;
    const begun = await Promise.all(Array.from({ length: 200 }, () => beginRequest(url, '/api/auth/refresh')));
    service.signal('SIGTERM');
    await eventually(
      async () => logged(service, 'Stopping').length,
      (lines) => lines === 1,
    );
    for (const { socket } of begun) socket.write(body);
    const answers = await Promise.all(begun.map(({ answer }) => answer));
    // The body is invalid, so validation_failed shows a complete response.
    expect(answers.filter((answer) => !/HTTP\/1\.1 400 [^]*"code":"validation_failed"/.test(answer))).toEqual([]);
    expect(await service.exit).toEqual({ code: 0, signal: null });
  });

  it('closes idle keep-alive connections immediately', async () => {
    const service = start();
    const url = await service.ready;
    const { hostname, port } = new URL(url);
    const idle = connect(Number(port), hostname);
    idle.on('error', () => undefined);
    idle.write(`GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await new Promise((resolve) => idle.once('data', resolve));
    const begun = performance.now();
    expect((await service.end('SIGTERM')).code).toBe(0);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('abandons requests that never end after SHUTDOWN_SECONDS and logs it', async () => {
    const service = start({ SHUTDOWN_SECONDS: '1' });
    const stuck = await beginRequest(await service.ready);
    expect((await service.end('SIGTERM')).code).toBe(1);
    expect(logged(service, 'with requests in flight')).toHaveLength(1);
    expect(await stuck.answer).not.toMatch(/HTTP\/1\.1 [2-5]/);
  });

  it('with SHUTDOWN_SECONDS=0 waits for no request and exits with 0', async () => {
    const service = start({ SHUTDOWN_SECONDS: '0' });
    const stuck = await beginRequest(await service.ready);
    expect(await service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(logged(service, 'with requests in flight')).toEqual([]);
    expect(await stuck.answer).not.toMatch(/HTTP\/1\.1 [2-5]/);
    expect(existsSync(join(folder, 'castellan.lock'))).toBe(false);
  });

  it('sent twice ends the process immediately', async () => {
    const service = start({ SHUTDOWN_SECONDS: '60' });
    await beginRequest(await service.ready);
    service.signal('SIGTERM');
    await eventually(
      async () => logged(service, 'Stopping').length,
      (lines) => lines === 1,
    );
    expect((await service.end('SIGTERM')).code).toBe(1);
  });
});
