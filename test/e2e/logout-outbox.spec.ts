import { createServer, Server } from 'node:http';
import { decodeJwt } from 'jose';
import { BackchannelLogoutService } from '../../src/oauth/server/backchannel-logout.service';
import { SessionEndsListener } from '../../src/oauth/server/session-ends.listener';
import { SessionCache } from '../../src/session/session.cache';
import { eventually } from '../support/eventually';
import { Holder, holderOf } from '../support/holders';
import { logInAt, Registered, register, relyingParty } from '../support/oauth';
import { TestClient } from '../support/test-client';
import { TestService } from '../support/test-service';

describe('a logout that applications are to be told of', () => {
  const told: string[] = [];
  let application: Server;
  let service: TestService;
  let admin: TestClient;
  let users = 0;

  beforeAll(async () => {
    application = createServer((request, response) => {
      request.on('data', (part: Buffer) => told.push(part.toString()));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    service = await TestService.start();
    admin = await service.admin();
  });

  afterAll(async () => {
    await service.stop();
    await new Promise((resolve) => application.close(resolve));
  });

  beforeEach(() => {
    told.length = 0;
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  interface LoggedIn extends Holder {
    readonly application: Registered;
    readonly sid: unknown;
  }

  /** Somebody new who has logged in at an application. */
  async function loggedIn(wantsToBeTold = true): Promise<LoggedIn> {
    const { port } = application.address() as { port: number };
    const uri = { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` };
    const client = await register(admin, wantsToBeTold ? uri : {});
    const user = await holderOf(service, admin, `user_${++users}`);
    const tokens = await logInAt(await relyingParty(() => service, client), user.client);
    return { ...user, application: client, sid: tokens.claims()!['sid'] };
  }

  /** As if the process was killed right after the commit. */
  const dieBeforeTelling = (): void => {
    jest.spyOn(BackchannelLogoutService.prototype, 'tell').mockResolvedValueOnce();
  };
  const waiting = (): Promise<object[]> =>
    service.query('SELECT client_id, user_id, sid, attempts FROM logout_notice ORDER BY id');
  const letGo = (): Promise<unknown> => service.query(`UPDATE logout_notice SET next_at = now()`);
  const takeUp = (at: TestService): Promise<void> =>
    at.app.get(SessionEndsListener, { strict: false }).takeUp(new AbortController().signal);
  const sidsTold = (): unknown[] =>
    told.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!)['sid']);

  it('is told by another instance where that which ended the session died, and once', async () => {
    const ann = await loggedIn();
    dieBeforeTelling();
    await ann.client.post('/api/auth/logout');
    const { client_id } = ann.application;
    expect(await waiting()).toEqual([{ client_id, user_id: ann.id, sid: ann.sid, attempts: 0 }]);

    const other = await service.another();
    await takeUp(other);
    expect(told).toEqual([]);
    await letGo();
    await Promise.all([takeUp(other), takeUp(service)]);
    expect([sidsTold(), await waiting()]).toEqual([[ann.sid], []]);
  });

  it('waits no more once it was told', async () => {
    const bob = await loggedIn();
    await bob.client.post('/api/auth/logout');
    await eventually(waiting, (rows) => rows.length === 0);
    expect(sidsTold()).toEqual([bob.sid]);
  });

  it('is kept for no application that wants to be told of nothing', async () => {
    const cam = await loggedIn(false);
    const tell = jest.spyOn(BackchannelLogoutService.prototype, 'tell');
    await cam.client.post('/api/auth/logout');
    expect([await waiting(), tell.mock.calls]).toEqual([[], []]);
  });

  it('is told also of a user who has gone', async () => {
    const dan = await loggedIn();
    dieBeforeTelling();
    expect((await admin.delete(`/api/user/${dan.id}`)).status).toBe(204);
    await letGo();
    await takeUp(service);
    expect([sidsTold(), await waiting()]).toEqual([[dan.sid], []]);
  });

  it('is forgotten with the application', async () => {
    const eve = await loggedIn();
    dieBeforeTelling();
    await eve.client.post('/api/auth/logout');
    expect(await waiting()).toHaveLength(1);
    await admin.delete(`/api/oauth/client/${eve.application.id}`);
    expect(await waiting()).toEqual([]);
  });

  it('is not kept where the session did not end after all', async () => {
    const fay = await loggedIn();
    const state = service.app.get(SessionCache, { strict: false });
    jest.spyOn(state, 'ended').mockRejectedValueOnce(new Error('The database went away'));
    const tell = jest.spyOn(BackchannelLogoutService.prototype, 'tell');
    expect((await fay.client.post('/api/auth/logout')).status).toBe(500);
    expect([await waiting(), tell.mock.calls]).toEqual([[], []]);
  });
});
