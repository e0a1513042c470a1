import { createServer, Server } from 'node:http';
import { decodeJwt } from 'jose';
import { eventually } from '../support/eventually';
import { call } from '../support/http-caller';
import { hasServer } from '../support/on-server';
import { Build, buildService, endServiceProcesses, ServiceProcess } from '../support/service-process';
import { createProcessDatabase, ProcessDatabase } from '../support/test-database';

jest.setTimeout(120_000);

const PASSWORD = 'correct horse battery staple';
const KEYS = `test:${Buffer.alloc(32, 'k').toString('base64url')}`;
const SID = 'the_sid_of_the_session';

/** Reads and writes while processes run on the database. */
(hasServer ? describe : describe.skip)('kill -9 between a logout and telling it (needs TEST_DATABASE_URL)', () => {
  const asked: string[] = [];
  let isListening = false;
  let application: Server;
  let build: Build;
  let database: ProcessDatabase;

  beforeAll(async () => {
    // Until it listens, whoever tells it waits for an answer.
    application = createServer((request, response) => {
      request.on('data', (part: Buffer) => asked.push(part.toString()));
      request.on('end', () => isListening && response.end());
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    build = buildService();
    database = await createProcessDatabase(build.freshFolder());
  });

  afterAll(async () => {
    await endServiceProcesses();
    await database.drop();
    build.remove();
    application.closeAllConnections();
    await new Promise((resolve) => application.close(resolve));
  });

  const start = (): ServiceProcess =>
    ServiceProcess.start(build, { ...database.environment, ENCRYPTION_KEYS: KEYS, ADMIN_PASSWORD: PASSWORD });

  const logIn = async (url: string): Promise<string> => {
    const body = { type: 'password', username: 'admin', password: PASSWORD };
    return (await call(url, 'POST', '/api/auth/login', { body })).cookie;
  };

  /** An application at which the session's user has logged in. */
  const loginAt = async (url: string, cookie: string): Promise<void> => {
    const { port } = application.address() as { port: number };
    const uris = {
      redirect_uris: ['https://app.example.com/callback'],
      backchannel_logout_uri: `http://127.0.0.1:${port}/logout`,
    };
    const { status, body } = await call(url, 'POST', '/api/oauth/client', { body: { name: 'App', ...uris }, cookie });
    expect(status).toBe(201);
    const authorizations = { [(body as { client_id: string }).client_id]: { sid: SID } };
    await database.query(
      `INSERT INTO oauth_artifact (model, id, payload, user_id, session_id, expires_at)
       SELECT 'Session', 'state', jsonb_build_object('accountId', user_id, 'authorizations',
         '${JSON.stringify(authorizations)}'::jsonb), user_id, id, expires_at FROM session WHERE revoked_at IS NULL`,
    );
  };

  const waiting = (): Promise<object[]> => database.query('SELECT sid FROM logout_notice');

  it('leaves it to another instance, which tells it and strikes it off', async () => {
    const first = start();
    const url = await first.ready;
    const cookie = await logIn(url);
    await loginAt(url, cookie);
    expect((await call(url, 'POST', '/api/auth/logout', { cookie })).status).toBe(204);
    await first.end('SIGKILL');
    expect(await waiting()).toEqual([{ sid: SID }]);

    asked.length = 0;
    isListening = true;
    await database.query('UPDATE logout_notice SET next_at = now()');
    const second = start();
    await second.ready;
    const [body] = await eventually(
      async () => asked,
      (bodies) => bodies.length > 0,
      30,
    );
    expect(decodeJwt(new URLSearchParams(body).get('logout_token')!)['sid']).toBe(SID);
    await eventually(waiting, (rows) => rows.length === 0);
    expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});
