import { decodeJwt } from 'jose';
import { Get, Post } from '@nestjs/common';
import { AllowWhileActing, Authenticated, RequireRecentLogin } from '../../src/platform/access';
import { CurrentCaller, ServiceController } from '../../src/service-guard/client';
import type { Caller } from '../../src/platform/context';
import { ChangeStreamService } from '../../src/service-guard/client/change-stream.service';
import { Acting, someoneActing } from '../support/accounts/acting';
import { GuardedApp } from '../support/hosts/guarded-app';
import { assertionOf, checkShown, guardClient, guardToken } from '../support/hosts/guarded-service';
import { listen } from '../support/service/raw-http';
import { accessOf, sessionOf } from '../support/accounts/session-tokens';
import { TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

@ServiceController('invoices')
class InvoicesController {
  @Get('me') @Authenticated() me(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }

  @Get('recent') @Authenticated() @RequireRecentLogin() recent(): string {
    return 'recent';
  }

  @Post('pay') @Authenticated() pay(): string {
    return 'paid';
  }

  @Post('search') @Authenticated() @AllowWhileActing() search(): string {
    return 'found';
  }
}

let service: TestService;
let admin: TestClient;
let app: GuardedApp;
let token: string;
let acting: Acting;
let ownSession: string;

withService(async (started) => {
  service = started;
  const port = await listen(service.app);
  admin = await service.admin();
  const client = await guardClient(admin);
  token = await guardToken(service, client);
  const { client_id: clientId, client_secret: clientSecret = '' } = client;
  const options = { url: `http://127.0.0.1:${port}`, clientId, clientSecret };
  app = await GuardedApp.start('fastify', options, { controller: InvoicesController });
  await eventually(
    async () => app.app.get(ChangeStreamService).isConnected,
    (connected) => connected,
    20,
  );
  acting = await someoneActing(service, admin);
  const [own] = await service.query<{ actor_session_id: string }>(
    'SELECT actor_session_id FROM session WHERE id = $1',
    [acting.sessionId],
  );
  ownSession = own!.actor_session_id;
});

afterAll(() => app.stop());

describe('another service', () => {
  it('learns who acts, by the session and by an assertion', async () => {
    const { actor, user } = acting;
    const named = { id: actor.id, username: actor.username, session_id: ownSession };
    const assertion = await assertionOf(actor.client);
    expect(decodeJwt(assertion)).toMatchObject({ sub: user.id, sid: sessionOf(actor.client), act: { sub: actor.id } });
    for (const shown of [{ assertion }, { tokens: [accessOf(actor.client)] }]) {
      const { body } = await checkShown(service, token, { ...shown, acting: true });
      expect(body).toMatchObject({ active: true, user: { id: user.id }, actor: named });
      expect(body.session).toMatchObject({ recent_login: false, amr: [] });
      // A guard of an earlier version.
      const { body: earlier } = await checkShown(service, token, shown);
      expect(earlier).toEqual({ active: false, code: 'session_revoked' });
      expect(body.subjects).toHaveLength(4);
    }
    const { body } = await checkShown(service, token, { tokens: [accessOf(user.client)] });
    expect(body).not.toHaveProperty('actor');
    const caller: unknown = await (await app.send('/me', { cookie: actor.client.cookie })).json();
    expect(caller).toMatchObject({
      userId: user.id,
      actor: { userId: actor.id, username: actor.username, sessionId: ownSession },
    });
  });

  it.each([
    ['GET', '/me', 200],
    ['GET', '/recent', 403],
    ['POST', '/pay', 403],
    ['POST', '/search', 201],
  ])('answers %s %s of an acting user with %i', async (method, path, expected) => {
    const { actor, user } = acting;
    const response = await app.send(path, { cookie: actor.client.cookie }, method);
    const body = await response.text();
    expect(response.status).toBe(expected);
    if (expected === 403) expect(JSON.parse(body)).toMatchObject({ code: 'acting_restricted' });
    expect((await app.send(path, { cookie: user.client.cookie }, method)).status).toBeLessThan(300);
  });

  it('rejects the session within a second of a lost permission', async () => {
    const { actor } = acting;
    expect(await app.status('/me', actor.client.cookie)).toBe(200);
    await admin.patch(`/api/user/${actor.id}/permissions`, { remove: ['act_as:execute'] });
    await eventually(
      () => app.status('/me', actor.client.cookie),
      (status) => status === 401,
      1.2,
    );
  });
});
