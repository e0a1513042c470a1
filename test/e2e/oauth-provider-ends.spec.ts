import { FederatedLoginService } from '../../src/oauth/login/flow/federated-login.service';
import { AccountLinkTokensService } from '../../src/oauth/login/flow/account-link-tokens.service';
import { IdentitiesService } from '../../src/oauth/login/identities';
import { oauthErrors, IdentityProviderRegistry } from '../../src/oauth/login';
import type { ExternalProfile } from '../../src/oauth/login';
import { ProviderGuard } from '../../src/oauth/login/providers/provider.guard';
import { Transactions } from '../../src/platform/database';
import { expectProblem } from '../support/service/expect-problem';
import { HOLD_AUTHORITY, itOnServer, SOMEBODY_WAITS } from '../support/service/on-server';
import { ProviderSimulator } from '../support/provider-simulator';
import { bringBack, consent, logInThrough } from '../support/oauth/simulated-login';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const PATH = '/api/oauth/provider';

let service: TestService;
let simulator: ProviderSimulator;
let admin: TestClient;
let made = 0;

withService(async (started) => {
  service = started;
  simulator = await ProviderSimulator.start();
  admin = await service.admin();
});

afterAll(() => simulator.stop());

afterEach(() => {
  jest.restoreAllMocks();
});

interface Provider {
  readonly id: string;
  readonly name: string;
}

const unique = (text: string): string => `${text}_${++made}`;

async function fresh(more: object = {}): Promise<Provider> {
  const body = simulator.configuration('oauth2', { name: `p${++made}`, ...more });
  const answer = await admin.post<Provider>(PATH, body);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

const changed = async (answer: Promise<Answer<unknown>>): Promise<void> => {
  const { status, text } = await answer;
  if (status !== 200 && status !== 204) throw new Error(text);
};

const ends: readonly [string, (provider: Provider) => Promise<void>][] = [
  ['disabled', ({ id }) => changed(admin.patch(`${PATH}/${id}`, { enabled: false }))],
  ['no longer trusted', ({ id }) => changed(admin.patch(`${PATH}/${id}`, { trust_email: false }))],
  ['deleted', ({ id }) => changed(admin.delete(`${PATH}/${id}?force=true`))],
];

/** Runs `happen` after the request was accepted, before the transaction of the link begins. */
function before<T extends object>(prototype: T, method: keyof T, happen: () => Promise<void>): void {
  const original = prototype[method] as (...given: unknown[]) => Promise<unknown>;
  const spy = jest.spyOn(prototype as Record<PropertyKey, (...given: unknown[]) => Promise<unknown>>, method as never);
  spy.mockImplementationOnce(async function (this: unknown, ...given: unknown[]) {
    await happen();
    return original.apply(this, given);
  } as never);
}

const linksOf = async ({ id }: Provider): Promise<number> =>
  (await service.query('SELECT 1 FROM user_identity WHERE provider_id = $1', [id])).length;

describe.each(ends)('a provider that is %s during a login', (_, end) => {
  it.each(['login', 'register'])('gets no link by bind/%s', async (way) => {
    const provider = await fresh({ trust_email: true });
    const client = service.client();
    const { body } = await logInThrough(client, simulator, provider.name);
    expect(body.status).toBe('bind_required');
    const username = unique('late');
    if (way === 'login') await service.register(username);
    before(AccountLinkTokensService.prototype, 'attempt', () => end(provider));
    const proof = way === 'login' ? { type: 'password', username, password: PASSWORD } : { username };
    const answer = await client.post<Problem>(`/api/oauth/bind/${way}`, proof);
    expectProblem(answer, 401, 'temp_token_invalid');
    expect(await linksOf(provider)).toBe(0);
    expect(await service.query('SELECT 1 FROM user_account WHERE username = $1', [username])).toHaveLength(
      way === 'login' ? 1 : 0,
    );
  });

  it('creates no account by automatic registration', async () => {
    const provider = await fresh({ trust_email: true, auto_register: true });
    const client = service.client();
    const callback = await consent(client, simulator, provider.name);
    before(FederatedLoginService.prototype, 'logIn', () => end(provider));
    expectProblem(await bringBack(client, callback), 400, 'state_invalid');
    expect([await linksOf(provider), (await client.get('/api/auth/me')).status]).toEqual([0, 401]);
  });

  it('gets no link to a logged-in user', async () => {
    const provider = await fresh({ trust_email: true });
    const client = await service.signUp(unique('binder'));
    const start = await client.post<{ redirect: string }>('/api/oauth/bind/start', { name: provider.name });
    const callback = await simulator.visit(start.body.redirect);
    before(IdentitiesService.prototype, 'bind', () => end(provider));
    expectProblem(await bringBack(client, callback), 400, 'state_invalid');
    expect(await linksOf(provider)).toBe(0);
  });
});

const waitForBlockedLock = (): Promise<unknown> =>
  eventually(
    () => service.query(SOMEBODY_WAITS),
    (rows) => rows.length > 0,
  );

itOnServer('a forced deletion takes the permission lock before it locks the provider', async () => {
  const { id } = await fresh();
  await service.query('BEGIN');
  await service.query(HOLD_AUTHORITY);
  const deletion = admin.delete(`${PATH}/${id}?force=true`);
  try {
    await waitForBlockedLock();
    await service.query('LOCK TABLE oauth_provider IN SHARE ROW EXCLUSIVE MODE NOWAIT');
  } finally {
    await service.query('ROLLBACK');
  }
  expect((await deletion).status).toBe(204);
});

describe('a link in progress', () => {
  interface PendingLink {
    readonly provider: Provider;
    link(): Promise<unknown>;
  }

  async function pendingLink(): Promise<PendingLink> {
    const provider = await fresh();
    const view = (await service.app.get(IdentityProviderRegistry, { strict: false }).find(provider.name))!.provider;
    const username = unique('linked');
    await service.register(username);
    const [row] = await service.query<{ id: string }>('SELECT id FROM user_account WHERE username = $1', [username]);
    const { id } = row!;
    const subjects: ExternalProfile['subjects'] = [{ claim: 'sub', value: id }];
    const person = { provider: view, profile: { issuer: 'https://idp.example', subjects, emailVerified: false } };
    const identities = service.app.get(IdentitiesService, { strict: false });
    return {
      provider,
      link: () =>
        identities.attach({ id, username, emailKey: null, emailVerified: false }, person, oauthErrors.stateInvalid),
    };
  }

  itOnServer('delays the deletion of its provider, which then finds the link', async () => {
    const { provider, link } = await pendingLink();
    let linked = (): void => undefined;
    let commit = (): void => undefined;
    const isLinked = new Promise<void>((resolve) => (linked = resolve));
    const mayCommit = new Promise<void>((resolve) => (commit = resolve));
    const linking = service.app.get(Transactions, { strict: false }).run(async () => {
      await link();
      linked();
      await mayCommit;
    });
    await isLinked;
    const deletion = admin.delete<Problem>(`${PATH}/${provider.id}`);
    await waitForBlockedLock().finally(commit);
    await linking;
    expectProblem(await deletion, 409, 'in_use');
    expect((await admin.get(`${PATH}/${provider.id}`)).status).toBe(200);
  });

  itOnServer('waits for a change of its provider and then fails', async () => {
    const { provider, link } = await pendingLink();
    await service.query('BEGIN');
    await service.query('UPDATE oauth_provider SET enabled = false, version = version + 1 WHERE id = $1', [
      provider.id,
    ]);
    const linking = service.app.get(Transactions, { strict: false }).run(link);
    const rejected = expect(linking).rejects.toMatchObject({ code: 'state_invalid' });
    try {
      await waitForBlockedLock();
    } finally {
      await service.query('COMMIT');
    }
    await rejected;
    expect(await linksOf(provider)).toBe(0);
  });
});

describe('a change of a provider', () => {
  it('does not overwrite another that was made after its validation', async () => {
    const { id } = await fresh();
    before(ProviderGuard.prototype, 'problemsOf', () => changed(admin.patch(`${PATH}/${id}`, { label: 'Meanwhile' })));
    const late = await admin.patch<Problem>(`${PATH}/${id}`, { sort: 7 });
    expectProblem(late, 409, 'version_conflict');
    expect((await admin.get(`${PATH}/${id}`)).body).toMatchObject({ label: 'Meanwhile', sort: 0 });
  });

  it('is audited', async () => {
    const { id } = await fresh();
    await changed(admin.patch(`${PATH}/${id}`, { sort: 7 }));
    await changed(admin.delete(`${PATH}/${id}`));
    const events = await service.query<{ action: string }>(
      'SELECT action FROM audit_event WHERE target_id = $1 ORDER BY id',
      [id],
    );
    expect(events.map(({ action }) => action)).toEqual([
      'oauth_provider.create',
      'oauth_provider.update',
      'oauth_provider.delete',
    ]);
  });
});
