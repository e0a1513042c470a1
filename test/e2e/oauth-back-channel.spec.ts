import { createServer, Server } from 'node:http';
import { decodeJwt } from 'jose';
import { buildEndSessionUrl } from 'openid-client';
import { OidcModelRepository } from '../../src/oauth/server/storage/oidc-model.repository';
import { SessionEndsListener } from '../../src/oauth/server/session-ends.listener';
import { SessionsService } from '../../src/session';
import { maxSessionsPerUser } from '../../src/session/session.settings';
import { eventually } from '../support/eventually';
import { Holder, holderOf } from '../support/holders';
import { ISSUER, logInAt, register, relyingParty } from '../support/oauth';
import { TestClient } from '../support/test-client';
import { refreshOf } from '../support/session-tokens';
import { TestService } from '../support/test-service';

const SLOW_MS = 500;

describe('a logout is told to applications in the back channel', () => {
  const told: string[] = [];
  let application: Server;
  let service: TestService;
  let waitMs = 0;
  let failures = 0;

  beforeAll(async () => {
    application = createServer((request, response) => {
      request.on('data', (part: Buffer) => told.push(part.toString()));
      request.on('end', () => {
        response.statusCode = failures-- > 0 ? 503 : 200;
        setTimeout(() => response.end(), waitMs);
      });
    });
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => new Promise((resolve) => application.close(resolve)));

  beforeEach(async () => {
    told.length = 0;
    service = await TestService.start();
  });

  /** Logs out again from so many applications at once; answers what the last of them knows of the session. */
  async function logOutFrom(applications: number): Promise<object> {
    const { port } = application.address() as { port: number };
    const admin = await service.admin();
    const ann = await holderOf(service, admin, 'ann');
    let known = {};
    for (let count = 0; count < applications; count++) {
      const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
      const tokens = await logInAt(await relyingParty(() => service, client), ann.client);
      known = { iss: ISSUER, aud: client.client_id, sid: tokens.claims()!['sid'] };
    }
    await ann.client.post('/api/auth/logout');
    return known;
  }

  it('without holding it up', async () => {
    const known = await logOutFrom(1);
    await eventually(
      async () => told.join(''),
      (text) => text.startsWith('logout_token='),
    );
    expect(decodeJwt(new URLSearchParams(told.join('')).get('logout_token')!)).toMatchObject(known);
    await service.stop();
  });

  it('by its session alone where one ends, and by its user where all end', async () => {
    const { port } = application.address() as { port: number };
    const admin = await service.admin();
    const ann = await holderOf(service, admin, 'ann');
    const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
    const config = await relyingParty(() => service, client);
    const sidOf = async (browser: TestClient): Promise<unknown> => (await logInAt(config, browser)).claims()!['sid'];
    const notices = async (count: number): Promise<object[]> => {
      const bodies = await eventually(
        async () => told.splice(told.length < count ? told.length : 0),
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

  it('however the session was ended', async () => {
    const { port } = application.address() as { port: number };
    const admin = await service.admin();
    const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${port}/logout` });
    const party = await relyingParty(() => service, client);
    const ends: Record<string, (ann: Holder) => Promise<unknown>> = {
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
      const ann = await holderOf(service, admin, name);
      sids.push((await logInAt(party, ann.client)).claims()!['sid']);
      await end(ann);
    }
    await service.stop();
    const toldOf = told.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!)['sid']);
    expect(toldOf.sort()).toEqual(sids.sort());
  });

  it('before the service has stopped', async () => {
    waitMs = SLOW_MS;
    await logOutFrom(2);
    await service.stop();
    expect(told).toHaveLength(2);
  });

  it('all at once, so that one that hangs delays no other', async () => {
    waitMs = 0;
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const { port } = application.address() as { port: number };
    const { port: deadPort } = hanging.address() as { port: number };
    const admin = await service.admin();
    const ann = await holderOf(service, admin, 'ann');
    for (const at of [deadPort, deadPort, port]) {
      const client = await register(admin, { backchannel_logout_uri: `http://127.0.0.1:${at}/logout` });
      await logInAt(await relyingParty(() => service, client), ann.client);
    }
    const before = performance.now();
    await ann.client.post('/api/auth/logout');
    await eventually(
      async () => told,
      (all) => all.length === 1,
    );
    expect(performance.now() - before).toBeLessThan(4_500);
    hanging.closeAllConnections();
    await service.stop();
    await new Promise((resolve) => hanging.close(resolve));
  });

  it('again where the application was not there to hear it, and counted', async () => {
    waitMs = 0;
    failures = 1;
    await logOutFrom(1);
    await eventually(
      async () => told,
      (all) => all.length === 2,
    );
    const [first, second] = told.map((body) => decodeJwt(new URLSearchParams(body).get('logout_token')!));
    expect(second!['sid']).toBe(first!['sid']);
    const reader = service.client();
    await eventually(
      async () => (await reader.get('/metrics', { remoteAddress: '127.0.0.1' })).text,
      (text) => text.includes('castellan_logout_notices_total{outcome="told"} 1'),
    );
    await service.stop();
  });
});

describe('a logout that tells applications', () => {
  const told: string[] = [];
  const application = createServer((request, response) => {
    request.on('data', (part: Buffer) => told.push(part.toString()));
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

  beforeAll(async () => {
    await new Promise<void>((resolve) => application.listen(0, '127.0.0.1', resolve));
    service = await TestService.start();
  });

  beforeEach(() => {
    told.length = 0;
    released = new Promise((resolve) => {
      release = resolve;
    });
  });

  afterEach(() => {
    release();
  });

  afterAll(async () => {
    await service.stop();
    await new Promise((resolve) => application.close(resolve));
  });

  /** The user’s yes, as often as it is sent. */
  async function yesOf(browser: TestClient, admin: TestClient): Promise<() => Promise<number>> {
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

  it('from an application’s side waits for none of them either', async () => {
    const admin = await service.admin();
    const ann = await holderOf(service, admin, 'ann');
    const sayYes = await yesOf(ann.client, admin);
    expect([await sayYes(), wasCutOff]).toEqual([303, false]);
    release();
    await eventually(
      async () => told,
      (all) => all.length === 1,
    );
  });

  it('from an application’s side ends nothing where the session could not be ended, and can be tried again', async () => {
    release();
    const admin = await service.admin();
    const bob = await holderOf(service, admin, 'bob');
    const sayYes = await yesOf(bob.client, admin);
    jest.spyOn(service.app.get(SessionsService), 'logout').mockRejectedValueOnce(new Error('The database went away'));
    expect(await sayYes()).toBe(500);
    expect(told).toEqual([]);
    expect(await sayYes()).toBe(303);
    expect((await bob.client.get('/api/auth/me')).status).toBe(401);
    await eventually(
      async () => told,
      (all) => all.length === 1,
    );
  });

  it('forgets none that another request added to the login state meanwhile', async () => {
    const states = service.app.get(OidcModelRepository, { strict: false });
    const state = { model: 'Session', id: 'state', grantId: null, clientId: null, userId: null, sessionId: null };
    const save = (authorizations?: Record<string, { sid: string }>): Promise<void> =>
      states.saveLoginState({ ...state, payload: { ...(authorizations && { authorizations }) } }, 60);
    await save({ one: { sid: '1' } });
    await save({ other: { sid: '2' } });
    await save();
    expect((await states.find('Session', 'state'))?.payload).toEqual({
      authorizations: { one: { sid: '1' }, other: { sid: '2' } },
    });
  });

  it.each<[string, string, number]>([
    ['goes on, as long as its session does', '0 days', 1],
    ['ends, once its session has', '80 days', 0],
  ])('knows them by a login state that %s', async (_, over, kept) => {
    release();
    const cam = await holderOf(service, await service.admin(), `cam_${kept}`);
    await yesOf(cam.client, await service.admin());
    await service.query(`UPDATE session SET expires_at = expires_at - $2::interval WHERE user_id = $1`, [cam.id, over]);
    const states = `oauth_artifact WHERE model = 'Session' AND user_id = $1`;
    await service.query(`UPDATE oauth_artifact SET expires_at = now() - interval '1 second' WHERE user_id = $1`, [
      cam.id,
    ]);
    for (let round = 0; round < 2; round++) await service.app.get(SessionEndsListener, { strict: false }).clean();
    expect(await service.query(`SELECT 1 FROM ${states} AND expires_at > now()`, [cam.id])).toHaveLength(kept);
    expect(await service.query(`SELECT 1 FROM ${states}`, [cam.id])).toHaveLength(kept);
    await cam.client.post('/api/auth/logout');
    await eventually(
      async () => told,
      (all) => all.length === kept,
    );
  });
});
