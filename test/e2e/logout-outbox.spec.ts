import { createServer, Server } from 'node:http';
import { decodeJwt } from 'jose';
import { BackchannelLogoutService } from '../../src/oauth/server/logout/backchannel-logout.service';
import { SessionsEndedListener } from '../../src/oauth/server/logout/sessions-ended.listener';
import { SessionCache } from '../../src/session/store/session.cache';
import { eventually } from '../support/service/eventually';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { logInAt, Registered, register, relyingParty } from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

describe('back-channel logout outbox', () => {
  const notices: string[] = [];
  let application: Server;
  let service: TestService;
  let admin: TestClient;
  let users = 0;

  withService(async (started) => {
    service = started;
    application = createServer((request, response) => {
      request.on('data', (part: Buffer) => notices.push(part.toString()));
      request.on('end', () => response.end());
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    admin = await service.admin();
  });

  afterAll(() => new Promise((resolve) => application.close(resolve)));

  beforeEach(() => {
    notices.length = 0;
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  interface LoggedIn extends UserWithGrants {
    readonly application: Registered;
    readonly sid: unknown;
  }

  /** Creates a user who is logged in at an application. */
  async function loggedIn(hasLogoutUri = true): Promise<LoggedIn> {
    const { port } = application.address() as { port: number };
    const uri = { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` };
    const client = await register(admin, hasLogoutUri ? uri : {});
    const user = await userWith(service, admin, `user_${++users}`);
    const tokens = await logInAt(await relyingParty(() => service, client), user.client);
    return { ...user, application: client, sid: tokens.claims()!['sid'] };
  }

  /** Simulates a process that is killed right after the commit. */
  const dieBeforeSending = (): void => {
    jest.spyOn(BackchannelLogoutService.prototype, 'notify').mockResolvedValueOnce(true);
  };
  const waiting = (): Promise<object[]> =>
    service.query('SELECT client_id, user_id, sid, attempts FROM logout_notice ORDER BY id');
  const makeDue = (): Promise<unknown> => service.query(`UPDATE logout_notice SET next_at = now()`);
  const resend = (at: TestService): Promise<void> =>
    at.app.get(SessionsEndedListener, { strict: false }).takeUp(new AbortController().signal);
  const notifiedSids = (): unknown[] =>
    notices.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!)['sid']);

  it('sends a notice once from another instance when the first instance dies', async () => {
    const ann = await loggedIn();
    dieBeforeSending();
    await ann.client.post('/api/auth/logout');
    const { client_id } = ann.application;
    expect(await waiting()).toEqual([{ client_id, user_id: ann.id, sid: ann.sid, attempts: 0 }]);

    const other = await service.another();
    await resend(other);
    expect(notices).toEqual([]);
    await makeDue();
    await Promise.all([resend(other), resend(service)]);
    await eventually(waiting, (rows) => rows.length === 0);
    expect(notifiedSids()).toEqual([ann.sid]);
  });

  it('deletes a notice that was sent', async () => {
    const bob = await loggedIn();
    await bob.client.post('/api/auth/logout');
    await eventually(waiting, (rows) => rows.length === 0);
    expect(notifiedSids()).toEqual([bob.sid]);
  });

  it.each([
    ['the user as well', false, true],
    ['only the session once the user has logged in at the application again', true, false],
  ])('names in a late notice of the end of all sessions %s', async (_, returns, isNamed) => {
    const ivy = await loggedIn();
    dieBeforeSending();
    await admin.delete(`/api/user/${ivy.id}/sessions`);
    expect(await waiting()).toHaveLength(1);
    if (returns) await logInAt(await relyingParty(() => service, ivy.application), await service.logIn(ivy.username));
    await makeDue();
    await resend(service);
    await eventually(waiting, (rows) => rows.length === 0);
    const [notice] = notices.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!));
    expect(notice).toMatchObject({ sid: ivy.sid });
    expect(notice!.sub).toBe(isNamed ? ivy.id : undefined);
  });

  it('stores no notice for an application without a back-channel URI', async () => {
    const cam = await loggedIn(false);
    const send = jest.spyOn(BackchannelLogoutService.prototype, 'notify');
    await cam.client.post('/api/auth/logout');
    expect([await waiting(), send.mock.calls]).toEqual([[], []]);
  });

  it('sends a notice also for a deleted user', async () => {
    const dan = await loggedIn();
    dieBeforeSending();
    expect((await admin.delete(`/api/user/${dan.id}`)).status).toBe(204);
    await makeDue();
    await resend(service);
    await eventually(waiting, (rows) => rows.length === 0);
    expect(notifiedSids()).toEqual([dan.sid]);
  });

  it('deletes a notice with its application', async () => {
    const eve = await loggedIn();
    dieBeforeSending();
    await eve.client.post('/api/auth/logout');
    expect(await waiting()).toHaveLength(1);
    await admin.delete(`/api/oauth/client/${eve.application.id}`);
    expect(await waiting()).toEqual([]);
  });

  it('stores no notice when the session could not be ended', async () => {
    const fay = await loggedIn();
    const state = service.app.get(SessionCache, { strict: false });
    jest.spyOn(state, 'ended').mockRejectedValueOnce(new Error('The database went away'));
    const send = jest.spyOn(BackchannelLogoutService.prototype, 'notify');
    expect((await fay.client.post('/api/auth/logout')).status).toBe(500);
    expect([await waiting(), send.mock.calls]).toEqual([[], []]);
  });
});
