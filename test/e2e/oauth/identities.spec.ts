import { emailCodeRequired, phoneCodeRequired, registrationEnabled } from '../../../src/auth';
import { logInLongAgo } from '../../support/accounts/accounts';
import {
  begin,
  beginBinding,
  CallbackAnswer,
  comeBack,
  expectNothingCame,
  FakeProvider,
  FakeProviders,
  roundTrip,
} from '../../support/oauth/fake-providers';
import { raceRounds } from '../../support/service/race-rounds';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import type { SubjectName, ExternalProfile } from '../../../src/oauth/login';
import type { IdentityDto } from '../../../src/oauth/login/identities/dto/identity.dto';
import { expectProblem } from '../../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../../support/service/test-client';
import { TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

const unique = (text: string): string => `identities_${text}_${++made}`;

async function bind(client: TestClient, provider: FakeProvider, subject: string): Promise<Answer<CallbackAnswer>> {
  provider.person(subject, { email: `${subject}@example.com` });
  return comeBack(client, provider, await beginBinding(client, provider));
}

const LIST = '/api/auth/identities';
const listed = async (client: TestClient): Promise<IdentityDto[]> =>
  (await client.get<{ items: IdentityDto[] }>(LIST)).body.items;

/** Removes the password, so that only linked identities can log in. */
const removePassword = (username: string): Promise<unknown> =>
  service.query('UPDATE user_account SET password_hash = NULL WHERE username = $1', [username]);

describe('identities', () => {
  it('are listed to their owner without subject values', async () => {
    const client = await service.signUp(unique('owner'));
    const provider = providers.add();
    await bind(client, provider, 'ann');
    expect(await listed(client)).toEqual([
      {
        id: expect.any(String) as string,
        provider: provider.provider.name,
        label: provider.provider.label,
        subject_hint: 'a***@example.com',
        linked_at: expect.any(String) as string,
        last_used_at: expect.any(String) as string,
      },
    ]);
    expect(await listed(await service.signUp(unique('other')))).toEqual([]);
  });

  it('are distinguished only by provider, tenant and subject', async () => {
    const [one, other] = [providers.add(), providers.add({ autoRegister: true })];
    await bind(await service.signUp(unique('victim')), one, 'same');
    other.person('same', { email: 'same@example.com', emailVerified: true });
    expect((await roundTrip(service.client(), other)).body.status).toBe('logged_in');
    one.person('same', { issuer: 'https://idp.example/another-tenant' });
    expect((await roundTrip(service.client(), one)).body.status).toBe('bind_required');
    one.person('SAME');
    expect((await roundTrip(service.client(), one)).body.status).toBe('bind_required');
    const rows = await service.query(
      `SELECT DISTINCT user_id FROM user_identity JOIN user_identity_subject ON identity_id = id WHERE subject = 'same'`,
    );
    expect(rows).toHaveLength(2);
  });

  it('are found by another subject of the same user, which cannot be linked to a second account', async () => {
    const provider = providers.add();
    const name = unique('wechat');
    const client = await service.signUp(name);
    const names = (claim: string, value: string): SubjectName => ({ claim, value });
    const bindAs = async (who: TestClient, ...subjects: ExternalProfile['subjects']): Promise<CallbackAnswer> => {
      provider.person('', { subjects });
      return (await comeBack(who, provider, await beginBinding(who, provider))).body;
    };
    await bindAs(client, names('openid', 'openid-1'));
    provider.person('', { subjects: [names('unionid', 'unionid-1'), names('openid', 'openid-1')] });
    expect((await roundTrip(service.client(), provider)).body.status).toBe('logged_in');
    const other = await service.signUp(unique('other'));
    expect((await bindAs(other, names('unionid', 'unionid-1'))).code).toBe('identity_taken');
    expect((await bindAs(other, names('openid', 'openid-1'))).code).toBe('identity_taken');
    expect(await listed(client)).toHaveLength(1);
    // A value that users can choose must not match the same value under a claim they cannot choose.
    provider.person('', { subjects: [names('unionid', 'unionid-2'), names('openid', 'unionid-1')] });
    expect((await roundTrip(service.client(), provider)).body.status).toBe('bind_required');
    expect((await bindAs(other, names('openid', 'unionid-1'))).status).toBe('bound');
  });

  it('are linked by one of two users who link them at the same time', async () => {
    const clients = [await service.signUp(unique('first')), await service.signUp(unique('second'))];
    for (let round = 0; round < raceRounds(5); round++) {
      const provider = providers.add();
      provider.person('raced');
      const begun = await Promise.all(clients.map((client) => beginBinding(client, provider)));
      const answers = await Promise.all(clients.map((client, at) => comeBack(client, provider, begun[at]!)));
      expect(answers.map(({ body }) => body.code ?? body.status).sort()).toEqual(['bound', 'identity_taken']);
    }
  });

  it('are unlinked by their owner after a recent login', async () => {
    const name = unique('leaver');
    const client = await service.signUp(name);
    const provider = providers.add();
    await bind(client, provider, name);
    const [identity] = await listed(client);
    const path = `${LIST}/${identity!.id}`;
    expect((await (await service.signUp(unique('other'))).delete(path)).status).toBe(404);
    expectProblem(await (await logInLongAgo(service, name)).delete<Problem>(path), 401, 'reauthentication_required');
    const fresh = await service.logIn(name);
    expect((await fresh.delete(path)).status).toBe(204);
    expect((await fresh.delete(path)).status).toBe(404);
    const events = await service.query(
      `SELECT action, actor_name, coalesce(before, after) ->> 'provider' AS provider FROM audit_event
       WHERE target_type = 'identity' AND target_id = $1 ORDER BY id`,
      [identity!.id],
    );
    const event = { actor_name: name, provider: provider.provider.name };
    expect(events).toEqual([
      { action: 'identity.link', ...event },
      { action: 'identity.unlink', ...event },
    ]);
    expect((await roundTrip(service.client(), provider)).body.status).toBe('bind_required');
  });

  it('cannot be removed when the last credential would be lost, also under concurrency', async () => {
    const name = unique('keeper');
    const client = await service.signUp(name);
    const [one, other] = [providers.add(), providers.add()];
    await bind(client, one, name);
    await bind(client, other, name);
    await removePassword(name);
    const ids = (await listed(client)).map(({ id }) => id);
    const answers = await Promise.all(ids.map((id) => client.delete<Problem | undefined>(`${LIST}/${id}`)));
    expect(answers.map(({ body }) => body?.code ?? 'gone').sort()).toEqual(['gone', 'last_credential']);
    expect(await listed(client)).toHaveLength(1);
  });

  it('of a disabled provider are no credentials', async () => {
    const name = unique('stranded');
    const client = await service.signUp(name);
    const [one, other] = [providers.add(), providers.add()];
    await bind(client, one, name);
    await bind(client, other, name);
    await removePassword(name);
    other.enabled = false;
    const [first] = await listed(client);
    expectProblem(await client.delete<Problem>(`${LIST}/${first!.id}`), 409, 'last_credential');
  });

  it('are deleted with the account', async () => {
    const name = unique('gone');
    const client = await service.signUp(name);
    const provider = providers.add();
    await bind(client, provider, name);
    expect((await client.delete('/api/auth/me')).status).toBe(204);
    expect(await service.query('SELECT 1 FROM user_identity_subject WHERE subject = $1', [name])).toEqual([]);
    expect((await roundTrip(service.client(), provider)).body.status).toBe('bind_required');
  });
});

describe('a login through a provider', () => {
  it('creates one account for concurrent callbacks of one user', async () => {
    const provider = providers.door();
    provider.person('the crowd', { nickname: 'Crowd', email: 'crowd@example.com', emailVerified: true });
    const clients = Array.from({ length: 8 }, () => service.client());
    const states = await Promise.all(clients.map((client) => begin(client, provider)));
    const answers = await Promise.all(clients.map((client, index) => comeBack(client, provider, states[index]!)));
    expect(answers.map(({ body }) => body.status)).toEqual(clients.map(() => 'logged_in'));
    expect(await service.query(`SELECT 1 FROM user_account WHERE nickname = 'Crowd'`)).toHaveLength(1);
  });

  it('generates valid usernames, whatever the provider returns', async () => {
    const provider = providers.door();
    const names = [];
    for (const nickname of [
      'Zoë Müller',
      'Zoë Müller',
      '微信用户',
      '微信用户',
      '\u202eevil',
      'x'.repeat(200),
      'admin',
      '',
    ]) {
      provider.person(unique('named'), { nickname });
      const client = service.client();
      await roundTrip(client, provider);
      names.push((await client.get<{ username: string }>('/api/auth/me')).body.username);
    }
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_]{3,50}$/);
  });

  it('creates no account while registration is disabled or requires more fields', async () => {
    const provider = providers.door();
    for (const [setting, value] of [
      [registrationEnabled, false],
      [emailCodeRequired, true],
      [phoneCodeRequired, true],
    ] as const) {
      await service.set(setting, value);
      const { body } = await roundTrip(service.client(), provider);
      await service.set(setting, setting.defaultValue);
      expect(body.status).toBe('bind_required');
    }
  });

  it('neither opens a locked account nor locks one', async () => {
    const name = unique('locked');
    const provider = providers.add();
    await bind(await service.signUp(name), provider, name);
    for (let attempt = 0; attempt < 10; attempt++) {
      await service.client().post('/api/auth/login', { type: 'password', username: name, password: 'wrong' });
    }
    expectProblem(await roundTrip(service.client(), provider), 429, 'account_locked');
  });

  it('creates an ordinary session with the name of the provider', async () => {
    const provider = providers.door();
    const client = service.client();
    await roundTrip(client, provider);
    const { body } = await client.get<{ items: { login_method: string }[] }>('/api/auth/sessions');
    expect(body.items.map(({ login_method }) => login_method)).toEqual([`oauth:${provider.provider.name}`]);
  });
});

const realTimeout = setTimeout;

describe('a provider', () => {
  const audited = async (provider: FakeProvider): Promise<unknown[]> => {
    const rows = await service.query<{ action: string; outcome: string; after: unknown }>(
      `SELECT action, outcome, after FROM audit_event WHERE target_type = 'oauth_provider' AND target_id = $1 ORDER BY id`,
      [provider.provider.id],
    );
    return rows.map(({ action, outcome, after }) => [action, outcome, after]);
  };

  it('that rejects the login is answered, counted and audited without its texts', async () => {
    const client = service.client();
    const provider = providers.door();
    const state = await begin(client, provider);
    await expectNothingCame(
      service,
      () => comeBack(client, provider, state, { error: 'access_denied', error_description: 'hunter2' }),
      'provider_denied',
    );
    expect(provider.completed).toEqual([]);
    expect(await audited(provider)).toEqual([
      ['oauth.callback', 'failure', { code: 'provider_denied', mode: 'login' }],
    ]);
    const metrics = await service.client().get<string>('/metrics', { remoteAddress: '10.0.0.1' });
    expect(metrics.body).toContain(
      `castellan_logins_total{method="oauth:${provider.provider.name}",outcome="provider_denied"} 1`,
    );
  });

  it('that fails leaves no partial account', async () => {
    const client = service.client();
    const provider = providers.door();
    provider.answer = () => Promise.reject(new Error('hunter2 at https://idp.example/token'));
    const state = await begin(client, provider);
    await expectNothingCame(service, () => comeBack(client, provider, state), 'provider_failed');
    expect(await audited(provider)).toEqual([
      ['oauth.callback', 'failure', { code: 'provider_failed', mode: 'login' }],
    ]);
  });

  it('that does not respond is abandoned after 8 s', async () => {
    const client = service.client();
    const provider = providers.door();
    const state = await begin(client, provider);
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    provider.answer = () => {
      asked();
      return new Promise(() => undefined);
    };
    const spy = jest.spyOn(global, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
      if (ms === 8_000) return setImmediate(work);
      return realTimeout(work, ms);
    }) as typeof setTimeout);
    try {
      const answer = comeBack(client, provider, state);
      await isAsked;
      expectProblem(await answer, 502, 'provider_failed');
    } finally {
      spy.mockRestore();
    }
  });

  it('is unknown while it is disabled', async () => {
    const provider = providers.door();
    provider.enabled = false;
    expect((await service.client().get(`/api/oauth/login/${provider.provider.name}`)).status).toBe(404);
    const ann = await service.signUp(unique('ann'));
    expect((await ann.post('/api/oauth/bind/start', { name: provider.provider.name })).status).toBe(404);
  });

  it('is listed by /api/info', async () => {
    const provider = providers.door({ icon: 'https://idp.example/icon.svg' });
    const { name, label, template } = provider.provider;
    const info = await service.client().get<{ oauth_providers: unknown[] }>('/api/info');
    expect(info.body.oauth_providers).toContainEqual({
      name,
      label,
      template,
      icon: 'https://idp.example/icon.svg',
      login_url: `/api/oauth/login/${name}`,
    });
  });
});
