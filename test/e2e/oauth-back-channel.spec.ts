import { createServer, Server } from 'node:http';
import { decodeJwt } from 'jose';
import { buildEndSessionUrl } from 'openid-client';
import { OidcModelRepository } from '../../src/oauth/server/storage/oidc-model.repository';
import { SessionsEndedListener } from '../../src/oauth/server/logout/sessions-ended.listener';
import { SessionsService } from '../../src/session';
import { maxSessionsPerUser } from '../../src/session/store/session.settings';
import { eventually } from '../support/service/eventually';
import { UserWithGrants, userWith } from '../support/accounts/holders';
import { ISSUER, logInAt, register, relyingParty } from '../support/oauth/oauth';
import { TestClient } from '../support/service/test-client';
import { refreshOf } from '../support/accounts/session-tokens';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const SLOW_MS = 500;

describe('back-channel logout', () => {
  const received: string[] = [];
  let application: Server;
  let service: TestService;
  let waitMs = 0;
  let failures = 0;

  beforeAll(async () => {
    application = createServer((request, response) => {
      request.on('data', (part: Buffer) => received.push(part.toString()));
      request.on('end', () => {
        response.statusCode = failures-- > 0 ? 503 : 200;
        setTimeout(() => response.end(), waitMs);
      });
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => application.close(resolve)));

  beforeEach(async () => {
    received.length = 0;
    service = await TestService.start();
  });

  /** Logs out after logging in at `applications` applications. Returns the claims that the last application expects. */
  async function logOutFrom(applications: number): Promise<object> {
    const { port } = application.address() as { port: number };
    const admin = await service.admin();
    const ann = await userWith(service, admin, 'ann');
    let known = {};
    for (let count = 0; count < applications; count++) {
      const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
      const tokens = await logInAt(await relyingParty(() => service, client), ann.client);
      known = { iss: ISSUER, aud: client.client_id, sid: tokens.claims()!['sid'] };
    }
    await ann.client.post('/api/auth/logout');
    return known;
  }

  it('does not delay the logout', async () => {
    const known = await logOutFrom(1);
    await eventually(
      async () => received.join(''),
      (text) => text.startsWith('logout_token='),
    );
    expect(decodeJwt(new URLSearchParams(received.join('')).get('logout_token')!)).toMatchObject(known);
    await service.stop();
  });

  it('names only the session when one ends, and also the user when all end', async () => {
    const { port } = application.address() as { port: number };
    const admin = await service.admin();
    const ann = await userWith(service, admin, 'ann');
    const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
    const config = await relyingParty(() => service, client);
    const sidOf = async (browser: TestClient): Promise<unknown> => (await logInAt(config, browser)).claims()!['sid'];
    const notices = async (count: number): Promise<object[]> => {
      const bodies = await eventually(
        async () => received.splice(received.length < count ? received.length : 0),
        (all) => all.length === count,
      );
      return bodies.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!));
    };
    const [first, second, third] = [ann.client, await service.logIn('ann'), await service.logIn('ann')];
    const sids = [await sidOf(first), await sidOf(second), await sidOf(third)];

    await first.post('/api/auth/logout');
    const [alone] = await notices(1);
    expect(alone).toMatchObject({ sid: sids[0] });
    expect(alone).not.toHaveProperty('sub');

    await admin.delete(`/api/user/${ann.id}/sessions`);
    const all = await notices(2);
    expect(all).toEqual(all.map(() => expect.objectContaining({ sub: ann.id }) as object));
    expect(all.map((notice) => (notice as { sid?: unknown }).sid).sort()).toEqual(sids.slice(1).sort());
    await service.stop();
  });

  it('is sent however the session ends', async () => {
    const { port } = application.address() as { port: number };
    const admin = await service.admin();
    const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
    const party = await relyingParty(() => service, client);
    const ends: Record<string, (ann: UserWithGrants) => Promise<unknown>> = {
      revoked: async ({ username }) => (await service.logIn(username)).delete('/api/auth/sessions'),
      evicted: async ({ username }) => {
        await service.set(maxSessionsPerUser, 1);
        return service.logIn(username);
      },
      copied: async ({ client: browser }) => {
        const copy = refreshOf(browser);
        for (let count = 0; count < 2; count++) await browser.post('/api/auth/refresh');
        return service.client().post('/api/auth/refresh', { refresh_token: copy });
      },
    };
    const sids: unknown[] = [];
    for (const [name, end] of Object.entries(ends)) {
      const ann = await userWith(service, admin, name);
      sids.push((await logInAt(party, ann.client)).claims()!['sid']);
      await end(ann);
    }
    await service.stop();
    const notifiedSids = received.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!)['sid']);
    expect(notifiedSids.sort()).toEqual(sids.sort());
  });

  it('is sent before the service stops', async () => {
    waitMs = SLOW_MS;
    await logOutFrom(2);
    await service.stop();
    expect(received).toHaveLength(2);
  });

  it('is sent in parallel, so that a hanging application delays no other', async () => {
    waitMs = 0;
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = application.address() as { port: number };
    const { port: deadPort } = hanging.address() as { port: number };
    const admin = await service.admin();
    const ann = await userWith(service, admin, 'ann');
    for (const at of [deadPort, deadPort, port]) {
      const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${at}/logout` });
      await logInAt(await relyingParty(() => service, client), ann.client);
    }
    const before = performance.now();
    await ann.client.post('/api/auth/logout');
    await eventually(
      async () => received,
      (all) => all.length === 1,
    );
    expect(performance.now() - before).toBeLessThan(4_500);
    hanging.closeAllConnections();
    await service.stop();
    await new Promise((resolve) => hanging.close(resolve));
  });

  it('is repeated after a failure, and counted', async () => {
    waitMs = 0;
    failures = 1;
    await logOutFrom(1);
    await eventually(
      async () => received,
      (all) => all.length === 2,
      10,
    );
    const [first, second] = received.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!));
    expect(second!['sid']).toBe(first!['sid']);
    const reader = service.client();
    await eventually(
      async () => (await reader.get('/metrics', { remoteAddress: '127.0.0.1' })).text,
      (text) => text.includes('castellan_logout_notices_total{outcome="delivered"} 1'),
    );
    await service.stop();
  });
});

describe('logout with back-channel notices', () => {
  const received: string[] = [];
  const application = createServer((request, response) => {
    request.on('data', (part: Buffer) => received.push(part.toString()));
    request.on('end', () => {
      response.on('close', () => {
        wasCutOff ||= !response.writableFinished;
      });
      void released.then(() => response.end());
    });
  });
  let released: Promise<void>;
  let release: () => void;
  let wasCutOff = false;
  let service: TestService;

  withService(async (started) => {
    service = started;
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => {
    received.length = 0;
    released = new Promise((resolve) => {
      release = resolve;
    });
  });

  afterEach(() => {
    release();
  });

  afterAll(() => new Promise((resolve) => application.close(resolve)));

  /** Returns a function that confirms the logout. It can be called repeatedly. */
  async function confirmationOf(browser: TestClient, admin: TestClient): Promise<() => Promise<number>> {
    const { port } = application.address() as { port: number };
    const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
    const party = await relyingParty(() => service, client);
    const { id_token: hint } = await logInAt(party, browser);
    const { pathname, search } = buildEndSessionUrl(party, { id_token_hint: hint! });
    const xsrf = /name="xsrf" value="([\w-]+)"/.exec((await browser.get(`${pathname}${search}`)).text)?.[1];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const raw = `xsrf=${xsrf}&logout=yes`;
    return async () => (await browser.send('POST', '/api/oauth/logout/confirm', { raw, headers })).status;
  }

  it('by an application does not wait for the notices', async () => {
    const admin = await service.admin();
    const ann = await userWith(service, admin, 'ann');
    const confirmLogout = await confirmationOf(ann.client, admin);
    expect([await confirmLogout(), wasCutOff]).toEqual([303, false]);
    release();
    await eventually(
      async () => received,
      (all) => all.length === 1,
    );
  });

  it('by an application sends no notice when the session cannot be ended, and can be retried', async () => {
    release();
    const admin = await service.admin();
    const bob = await userWith(service, admin, 'bob');
    const confirmLogout = await confirmationOf(bob.client, admin);
    jest.spyOn(service.app.get(SessionsService), 'logout').mockRejectedValueOnce(new Error('The database went away'));
    expect(await confirmLogout()).toBe(500);
    expect(received).toEqual([]);
    expect(await confirmLogout()).toBe(303);
    expect((await bob.client.get('/api/auth/me')).status).toBe(401);
    await eventually(
      async () => received,
      (all) => all.length === 1,
    );
  });

  it('keeps authorizations that a concurrent request added to the login state', async () => {
    const states = service.app.get(OidcModelRepository, { strict: false });
    const state = { model: 'Session', id: 'state', grantId: null, clientId: null, userId: null, sessionId: null };
    const save = (authorizations?: Record<string, { sid: string }>): Promise<void> =>
      states.saveBrowserSession({ ...state, payload: { ...(authorizations && { authorizations }) } }, 60);
    await save({ one: { sid: '1' } });
    await save({ other: { sid: '2' } });
    await save();
    expect((await states.find('Session', 'state'))?.payload).toEqual({
      authorizations: { one: { sid: '1' }, other: { sid: '2' } },
    });
  });

  it.each<[string, string, number]>([
    ['is kept as long as its session', '0 days', 1],
    ['is deleted after its session', '80 days', 0],
  ])('notifies applications of a login state that %s', async (_, over, kept) => {
    release();
    const cam = await userWith(service, await service.admin(), `cam_${kept}`);
    await confirmationOf(cam.client, await service.admin());
    await service.query(`UPDATE session SET expires_at = expires_at - $2::interval WHERE user_id = $1`, [cam.id, over]);
    const states = `oauth_artifact WHERE model = 'Session' AND user_id = $1`;
    await service.query(`UPDATE oauth_artifact SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
      cam.id,
    ]);
    for (let round = 0; round < 2; round++) await service.app.get(SessionsEndedListener, { strict: false }).clean();
    expect(await service.query(`SELECT 1 FROM ${states} AND expires_at > now()`, [cam.id])).toHaveLength(kept);
    expect(await service.query(`SELECT 1 FROM ${states}`, [cam.id])).toHaveLength(kept);
    await cam.client.post('/api/auth/logout');
    await eventually(
      async () => received,
      (all) => all.length === kept,
    );
  });
});
