import { authorizationCodeGrant, Configuration } from 'openid-client';
import { mfaPolicy } from '../../src/mfa';
import { OidcEngineService } from '../../src/oauth/server/engine/oidc-engine.service';
import { expectProblem } from '../support/service/expect-problem';
import { anyUserWith, UserWithGrants } from '../support/accounts/holders';
import {
  begin,
  decideAt,
  ISSUER,
  logInAt,
  interactionAt,
  register,
  registerApp,
  relyingParty,
  redirectOf,
} from '../support/oauth/oauth';
import { enrolTotp } from '../support/accounts/second-factors';
import { Answer, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const RESUME = 'castellan_oauth_resume';
const MADE_UP = 'unknownunknownunknown';
const CODE = /[?&]code=/;

let service: TestService;
let admin: TestClient;
let config: Configuration;

withService(async (started) => {
  ({ service, admin, config } = await registerApp(started));
});

const person = (): Promise<UserWithGrants> => anyUserWith(service, admin);

const uidOf = (page: string): string => new URL(page, ISSUER).searchParams.get('interaction') ?? '';

const resume = (browser: TestClient, uid: string): Promise<Answer<unknown>> =>
  browser.get(`/api/oauth/authorize/${uid}`);

const whereTo = ({ headers }: Answer<unknown>): string => String(headers['location'] ?? '');

/** A session of the same user with one factor from an hour ago. */
async function oldSession({ id, username }: UserWithGrants): Promise<TestClient> {
  const browser = await service.logIn(username);
  const { body } = await browser.get<{ items: { id: string; current: boolean }[] }>('/api/auth/sessions');
  const session = body.items.find(({ current }) => current)!;
  await service.query(
    `UPDATE session SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1 AND id = $2`,
    [id, session.id],
  );
  const elsewhere = new TestClient((await service.another()).app);
  for (const [name, value] of browser.jar) elsewhere.jar.set(name, value);
  return elsewhere;
}

/** Reauthenticates, so that auth_time is as recent as possible. */
async function prove(browser: TestClient): Promise<void> {
  expect((await browser.post('/api/auth/reauthenticate', { password: PASSWORD })).status).toBeLessThan(300);
}

describe('the resume address of an interaction', () => {
  it.each<[string, Record<string, string>]>([
    ['the login of another user', {}],
    ['a fresh auth_time', { prompt: 'login' }],
    ['an acr of two factors', { prompt: 'login', acr_values: 'urn:castellan:acr:2fa' }],
  ])('issues no code for the cookie path of another interaction by %s', async (_, more) => {
    const ann = await person();
    const { url } = await begin(config, more);
    const thief = Object.keys(more).length > 0 ? await oldSession(ann) : service.client();
    if ('acr_values' in more) await enrolTotp(ann.client);
    const other = await redirectOf(service.client(), (await begin(config)).url);
    const page = await redirectOf(thief, url);
    await prove(ann.client);
    expect((await decideAt(ann.client, page)).status).toBe(200);
    for (const uid of [uidOf(other), MADE_UP, 'x']) {
      const answer = await resume(thief, uid);
      expect([answer.status, whereTo(answer)]).toEqual([400, '']);
      expect(answer.text).toContain('invalid_request');
    }
    expect(whereTo(await resume(thief, uidOf(page)))).toMatch(/^\/login\?/);
  });

  it('ignores a decision from another session that arrives during the request', async () => {
    const ann = await person();
    const stale = await oldSession(ann);
    const page = await redirectOf(stale, (await begin(config, { prompt: 'login' })).url);
    const { Interaction } = await service.app.get(OidcEngineService, { strict: false }).current();
    const find = Interaction.find.bind(Interaction);
    const spy = jest.spyOn(Interaction, 'find').mockImplementationOnce(async (...parameters) => {
      const found = await find(...parameters);
      expect((await decideAt(ann.client, page)).status).toBe(200);
      return found;
    });
    await prove(ann.client);
    const here = service.client();
    for (const [name, value] of stale.jar) here.jar.set(name, value);
    const answer = await resume(here, uidOf(page));
    spy.mockRestore();
    expect([answer.status, whereTo(answer)]).toEqual([302, expect.stringMatching(/^\/login\?/)]);
  });

  it('ignores a login of another session from an earlier prompt', async () => {
    const ann = await person();
    const party = await relyingParty(() => service, await register(admin));
    const { url } = await begin(party, { prompt: 'login' });
    const login = await redirectOf(ann.client, url);
    await prove(ann.client);
    const consent = await redirectOf(ann.client, (await decideAt(ann.client, login)).body.redirect);
    expect(consent).toMatch(/^\/consent\?/);
    const stale = await oldSession(ann);
    for (const name of [RESUME, `${RESUME}.sig`]) stale.jar.set(name, ann.client.jar.get(name)!);
    const { redirect } = (await decideAt(stale, consent)).body;
    expect(await redirectOf(stale, redirect)).toMatch(/^\/login\?/);
  });

  it('works once, so that only one of several parallel requests gets a code', async () => {
    const ann = await person();
    const party = await relyingParty(() => service, await register(admin));
    const page = await redirectOf(ann.client, (await begin(party)).url);
    expect((await decideAt(ann.client, page)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 8 }, () => resume(ann.client, uidOf(page))));
    expect(answers.filter((answer) => CODE.test(whereTo(answer)))).toHaveLength(1);
    for (const { status } of answers.filter((answer) => !CODE.test(whereTo(answer)))) expect(status).toBe(400);
  });

  it('continues in the browser that started the request, with the login of its session', async () => {
    const ann = await person();
    const { url, checks } = await begin(config, { prompt: 'login' });
    const page = await redirectOf(ann.client, url);
    await prove(ann.client);
    let next = await redirectOf(ann.client, (await decideAt(ann.client, page)).body.redirect);
    next = await redirectOf(ann.client, (await decideAt(ann.client, next)).body.redirect);
    const tokens = await authorizationCodeGrant(config, new URL(next), checks);
    expect(tokens.claims()).toMatchObject({ sub: ann.id, acr: 'urn:castellan:acr:1fa' });
  });
});

describe('an interaction', () => {
  const asked = async (): Promise<{ ann: UserWithGrants; page: string }> => {
    const ann = await person();
    return { ann, page: await redirectOf(ann.client, (await begin(config)).url) };
  };

  it('of another user returns 404', async () => {
    const [{ page }, bob] = [await asked(), await person()];
    for (const answer of [await interactionAt(bob.client, page), await decideAt(bob.client, page)]) {
      expectProblem(answer, 404, 'not_found');
    }
  });

  it('requires a login in an anonymous browser', async () => {
    const { page } = await asked();
    for (const answer of [await interactionAt(service.client(), page), await decideAt(service.client(), page)]) {
      expectProblem(answer, 401, 'unauthenticated');
    }
  });

  it.each(['allow', 'deny'] as const)('with the decision %s accepts no second decision', async (decision) => {
    const { ann, page } = await asked();
    expect((await decideAt(ann.client, page, decision)).status).toBe(200);
    const answers = [
      await interactionAt(ann.client, page),
      await decideAt(ann.client, page),
      await decideAt(ann.client, page, 'deny'),
    ];
    for (const answer of answers) {
      expectProblem(answer, 409, 'interaction_answered');
    }
    const bob = await person();
    expect((await decideAt(bob.client, page)).status).toBe(404);
  });

  it('that is answered returns 409 without a login, 409 or 404 after a logout, and continues with no code', async () => {
    const { ann, page } = await asked();
    expect((await decideAt(ann.client, page)).status).toBe(200);
    const anonymous = service.client();
    for (const answer of [await interactionAt(anonymous, page), await decideAt(anonymous, page, 'deny')]) {
      expectProblem(answer, 409, 'interaction_answered');
    }
    expect((await ann.client.post('/api/auth/logout')).status).toBeLessThan(300);
    for (const answer of [await interactionAt(ann.client, page), await decideAt(ann.client, page)]) {
      // The logout deletes the interaction in the background.
      expect([404, 409]).toContain(answer.status);
    }
    for (const browser of [ann.client, anonymous]) {
      const answer = await resume(browser, uidOf(page));
      expect(answer.status).toBeLessThan(500);
      expect(whereTo(answer)).not.toMatch(CODE);
    }
  });

  it('accepts one of several concurrent decisions and stores only that one', async () => {
    const ann = await person();
    const { url } = await begin(config, { scope: 'openid profile email' });
    const page = await redirectOf(ann.client, url);
    const answers = await Promise.all(
      ['profile', 'email', 'profile', 'email'].map((scope) => decideAt(ann.client, page, 'allow', { scopes: [scope] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const { body } = await ann.client.get<{ items: { scopes: unknown[] }[] }>('/api/oauth/consent');
    expect(body.items[0]!.scopes).toHaveLength(2);
  });

  it('that has continued is not restored by a late decision', async () => {
    const ann = await person();
    const party = await relyingParty(() => service, await register(admin));
    const page = await redirectOf(ann.client, (await begin(party)).url);
    const { Interaction } = await service.app.get(OidcEngineService, { strict: false }).current();
    const find = Interaction.find.bind(Interaction);
    jest.spyOn(Interaction, 'find').mockImplementationOnce(async (...parameters) => {
      const found = await find(...parameters);
      await resume(ann.client, uidOf(page));
      return found;
    });
    expect((await decideAt(ann.client, page)).status).toBe(409);
    expect((await resume(ann.client, uidOf(page))).status).toBe(400);
  });

  it.each<[string, string]>([
    ['the login prompt', 'login'],
    ['the consent prompt', 'consent'],
  ])('is closed to a user who must change the password first, at %s', async (_, kind) => {
    const { id, client: browser } = await person();
    const demand = (): Promise<Answer<unknown>> => admin.patch(`/api/user/${id}`, { must_change_password: true });
    if (kind === 'login') expect((await demand()).status).toBe(200);
    const page = await redirectOf(browser, (await begin(config)).url);
    if (kind === 'consent') expect((await demand()).status).toBe(200);
    expect(page).toMatch(new RegExp(`^/${kind}\\?`));
    for (const answer of [await interactionAt(browser, page), await decideAt(browser, page)]) {
      expectProblem(answer, 403, 'password_change_required');
    }
  });

  it('is closed to a user who must enrol a second factor first', async () => {
    const { ann, page } = await asked();
    await service.set(mfaPolicy, 'required');
    try {
      for (const answer of [await interactionAt(ann.client, page), await decideAt(ann.client, page)]) {
        expectProblem(answer, 403, 'mfa_enrolment_required');
      }
      // Repeats the check with only the refresh token.
      ann.client.jar.delete('iam_access');
      expectProblem(await decideAt(ann.client, page), 403, 'mfa_enrolment_required');
    } finally {
      await service.set(mfaPolicy, mfaPolicy.defaultValue);
    }
    expect((await logInAt(config, (await person()).client)).access_token).toBeDefined();
  });
});
