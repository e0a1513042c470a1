import { createServer, Server } from 'node:http';
import { decodeJwt } from 'jose';
import { ADMIN_LOGIN, builtService } from '../support/service/built-service';
import { eventually } from '../support/service/eventually';
import { call } from '../support/service/http-caller';
import { hasServer } from '../support/service/on-server';

jest.setTimeout(120_000);

const SID = 'the_sid_of_the_session';

/** Reads and writes the database while processes run on it, which the embedded database does not allow. */
(hasServer ? describe : describe.skip)('kill -9 between a logout and its notice (needs TEST_DATABASE_URL)', () => {
  const asked: string[] = [];
  let isListening = false;
  let application: Server;
  const service = builtService();

  beforeAll(async () => {
    // The application is not listening yet, so the sender waits for a connection.
    application = createServer((request, response) => {
      request.on('data', (part: Buffer) => asked.push(part.toString()));
      request.on('end', () => isListening && response.end());
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    application.closeAllConnections();
    await new Promise((resolve) => application.close(resolve));
  });

  const logIn = async (url: string): Promise<string> =>
    (await call(url, 'POST', '/api/auth/login', { body: ADMIN_LOGIN })).cookie;

  /** Logs the session's user in at an application. */
  const loginAt = async (url: string, cookie: string): Promise<void> => {
    const { port } = application.address() as { port: number };
    const uris = {
      redirect_uris: ['https://app.example.com/callback'],
      backchannel_logout_uri: `http://127.0.0.1:${port}/logout`,
    };
    const { status, body } = await call(url, 'POST', '/api/oauth/client', { body: { name: 'App', ...uris }, cookie });
    expect(status).toBe(201);
    const authorizations = { [(body as { client_id: string }).client_id]: { sid: SID } };
    await service.database.query(
      `INSERT INTO oauth_artifact (model, id, payload, user_id, session_id, expires_at)
       SELECT 'Session', 'state', jsonb_build_object('accountId', user_id, 'authorizations',
         '${JSON.stringify(authorizations)}'::jsonb), user_id, id, expires_at FROM session WHERE revoked_at IS NULL`,
    );
  };

  const waiting = (): Promise<object[]> => service.database.query('SELECT sid FROM logout_notice');

  it('lets another instance send and delete the notice', async () => {
    const first = service.start();
    const url = await first.ready;
    const cookie = await logIn(url);
    await loginAt(url, cookie);
    expect((await call(url, 'POST', '/api/auth/logout', { cookie })).status).toBe(204);
    await first.end('SIGKILL');
    expect(await waiting()).toEqual([{ sid: SID }]);

    asked.length = 0;
    isListening = true;
    await service.database.query('UPDATE logout_notice SET next_at = now()');
    const second = service.start();
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
