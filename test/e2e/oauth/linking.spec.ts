import { IdentitiesService } from '../../../src/oauth/login/identities';
import { DomainEvents } from '../../../src/platform/jobs/events';
import { accountChanged, UserRepository } from '../../../src/users';
import { expectProblem } from '../../support/service/expect-problem';
import {
  beginBinding,
  CallbackAnswer,
  comeBack,
  FakeProvider,
  FakeProviders,
  roundTrip,
} from '../../support/oauth/fake-providers';
import { startWithProviders } from '../../support/oauth/service-with-providers';
import { Answer, Problem, TestClient } from '../../support/service/test-client';
import { TestService } from '../../support/service/test-service';

let service: TestService;
let providers: FakeProviders;
let made = 0;

beforeAll(async () => {
  ({ service, providers } = await startWithProviders());
});

afterAll(() => service.stop());

interface UserRow {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly email_verified: boolean;
}

const unique = (text: string): string => `linking_${text}_${++made}`;

async function userBy(column: 'username' | 'id', value: string): Promise<UserRow> {
  const rows = await service.query<UserRow>(
    `SELECT id, username, email, email_verified FROM user_account WHERE ${column} = $1`,
    [value],
  );
  return rows[0]!;
}

const ownersOf = async (subject: string): Promise<string[]> => {
  const rows = await service.query<{ user_id: string }>(
    `SELECT user_id FROM user_identity JOIN user_identity_subject ON identity_id = user_identity.id WHERE subject = $1`,
    [subject],
  );
  return rows.map(({ user_id }) => user_id);
};

async function account(username: string, email?: string, verified = false): Promise<UserRow> {
  await service.register(username, email === undefined ? {} : { email });
  if (verified) await service.query('UPDATE user_account SET email_verified = true WHERE username = $1', [username]);
  return userBy('username', username);
}

async function whoIs(client: TestClient): Promise<string | undefined> {
  const answer = await client.get<{ id: string }>('/api/auth/me');
  return answer.status === 200 ? answer.body.id : undefined;
}

/** An account that is linked to an identity of the provider. */
async function linkedAccount(provider: FakeProvider, subject: string): Promise<UserRow> {
  const username = unique('linked');
  const client = await service.signUp(username);
  provider.person(subject);
  const answer = await comeBack(client, provider, await beginBinding(client, provider));
  if (answer.body.status !== 'bound') throw new Error(`Could not link: ${answer.text}`);
  return userBy('username', username);
}

/** State of the profile's e-mail here: no account has it, a user verified it, or a user has it unverified. */
type Holder = 'nobody' | 'owner' | 'claimant';
/** The user who is logged in or linked: owner, linked, new or self. `new+email`: a new account with the e-mail. */
type Outcome =
  'owner' | 'linked' | 'new' | 'new+email' | 'bind_required' | 'bound' | 'identity_taken' | 'user_disabled';

interface Row {
  /** Whether the browser is already logged in. */
  readonly session: boolean;
  readonly mode: 'login' | 'bind';
  readonly trusted: boolean;
  readonly auto: boolean;
  readonly verified: boolean;
  readonly holder: Holder;
  /** Account that the identity is linked to. */
  readonly identity: 'free' | 'linked' | 'mine';
  /** Whether the e-mail holder and the linked account are disabled. */
  readonly disabled: boolean;
  readonly outcome: Outcome;
}

const HEADER = ['session', 'mode', 'trusted', 'auto', 'verified', 'holder', 'identity', 'disabled', 'outcome'] as const;

/** One case per line: `-` no, `+` yes. */
const TABLE = `
  - login - - - nobody   free   - bind_required
  - login - - + nobody   free   - bind_required
  - login - - - owner    free   - bind_required
  - login - - + owner    free   - bind_required
  - login - - - claimant free   - bind_required
  - login - - + claimant free   - bind_required
  - login + - - nobody   free   - bind_required
  - login + - + nobody   free   - bind_required
  - login + - - owner    free   - bind_required
  - login + - + owner    free   - owner
  - login + - - claimant free   - bind_required
  - login + - + claimant free   - bind_required
  - login - + - nobody   free   - new
  - login - + + nobody   free   - new
  - login - + - owner    free   - new
  - login - + + owner    free   - new
  - login - + - claimant free   - new
  - login - + + claimant free   - new
  - login + + - nobody   free   - new
  - login + + + nobody   free   - new+email
  - login + + - owner    free   - new
  - login + + + owner    free   - owner
  - login + + - claimant free   - new
  - login + + + claimant free   - new+email
  - login + - + owner    free   + user_disabled
  - login + + + owner    free   + user_disabled
  - login - + + owner    free   + new
  - login + + + claimant free   + new+email
  - login - - - nobody   linked - linked
  - login - - + owner    linked - linked
  - login + - + owner    linked - linked
  - login + + + owner    linked - linked
  - login + + + claimant linked - linked
  - login - - - nobody   linked + user_disabled
  - login + + + owner    linked + user_disabled
  + login - - - nobody   free   - bind_required
  + login + - + owner    free   - owner
  + login + + + claimant free   - new+email
  + login - - - nobody   linked - linked
  + login + + + owner    linked - linked
  + login - - - nobody   mine   - self
  + bind  - - - nobody   free   - bound
  + bind  - - + owner    free   - bound
  + bind  + - + owner    free   - bound
  + bind  + + + owner    free   - bound
  + bind  + + + claimant free   - bound
  + bind  + + + owner    free   + bound
  + bind  - - - nobody   mine   - bound
  + bind  + + + owner    mine   - bound
  + bind  - - - nobody   linked - identity_taken
  + bind  + + + owner    linked - identity_taken
  + bind  - - - nobody   linked + identity_taken
`
  .trim()
  .split('\n')
  .map((line) => {
    const cells = line.trim().split(/\s+/);
    const read = (cell: string): unknown => ({ '+': true, '-': false })[cell] ?? cell;
    return Object.fromEntries(HEADER.map((name, index) => [name, read(cells[index]!)])) as unknown as Row;
  });

interface Scene {
  readonly provider: FakeProvider;
  readonly client: TestClient;
  readonly subject: string;
  readonly email: string;
  readonly holder: UserRow | undefined;
  readonly linked: UserRow | undefined;
  readonly self: UserRow | undefined;
}

async function stage(row: Row): Promise<Scene> {
  const provider = providers.add({ trustEmail: row.trusted, autoRegister: row.auto });
  const [subject, name] = [unique('subject'), unique('self')];
  const email = `${unique('person')}@example.com`;
  const holder = row.holder === 'nobody' ? undefined : await account(unique('holder'), email, row.holder === 'owner');
  const linked = row.identity === 'linked' ? await linkedAccount(provider, subject) : undefined;
  const client = row.session ? await service.signUp(name) : service.client();
  const self = row.session ? await userBy('username', name) : undefined;
  if (row.identity === 'mine') {
    provider.person(subject);
    await comeBack(client, provider, await beginBinding(client, provider));
  }
  if (row.disabled) {
    const ids = [holder, linked].flatMap((user) => user?.id ?? []);
    await service.query(`UPDATE user_account SET status = 'disabled' WHERE id = ANY($1)`, [ids]);
  }
  provider.person(subject, { email, emailVerified: row.verified, nickname: unique('Nick') });
  return { provider, client, subject, email, holder, linked, self };
}

async function play(row: Row, { client, provider }: Scene): Promise<Answer<CallbackAnswer>> {
  return row.mode === 'bind'
    ? comeBack(client, provider, await beginBinding(client, provider))
    : roundTrip(client, provider);
}

const usersNow = async (): Promise<number> =>
  (await service.query<{ count: number }>('SELECT count(*)::int AS count FROM user_account'))[0]!.count;

async function expectAnonymous(scene: Scene, answer: Answer<CallbackAnswer>, outcome: string): Promise<void> {
  expect(answer.body.code ?? answer.body.status).toBe(outcome);
  expect(answer.setCookies.filter((line) => /^iam_(access|refresh)=/.test(line))).toEqual([]);
  expect(await whoIs(scene.client)).toBe(scene.self?.id);
  expect(await ownersOf(scene.subject)).toEqual(scene.linked ? [scene.linked.id] : []);
}

async function expectLoggedIn(scene: Scene, answer: Answer<CallbackAnswer>, user: UserRow): Promise<void> {
  expect(answer.body).toEqual({ status: 'logged_in' });
  expect(await whoIs(scene.client)).toBe(user.id);
  expect(await ownersOf(scene.subject)).toEqual([user.id]);
}

async function expectNew(scene: Scene, answer: Answer<CallbackAnswer>, withEmail: boolean): Promise<void> {
  const user = await userBy('id', (await whoIs(scene.client))!);
  await expectLoggedIn(scene, answer, user);
  expect([scene.holder?.id, scene.linked?.id, scene.self?.id]).not.toContain(user.id);
  expect(user).toMatchObject({ email: withEmail ? scene.email : null, email_verified: withEmail });
}

async function expectOutcome(row: Row, scene: Scene, answer: Answer<CallbackAnswer>): Promise<void> {
  switch (row.outcome as string) {
    case 'owner':
      return expectLoggedIn(scene, answer, scene.holder!);
    case 'linked':
      return expectLoggedIn(scene, answer, scene.linked!);
    case 'self':
      return expectLoggedIn(scene, answer, scene.self!);
    case 'new':
    case 'new+email':
      return expectNew(scene, answer, row.outcome === 'new+email');
    case 'bound':
      expect(answer.body).toEqual({ status: 'bound' });
      expect(await ownersOf(scene.subject)).toEqual([scene.self!.id]);
      return;
    default:
      return expectAnonymous(scene, answer, row.outcome);
  }
}

describe('account selection at a provider login', () => {
  it('has more than forty cases', () => {
    expect(TABLE.length).toBeGreaterThanOrEqual(40);
    expect(new Set(TABLE.map((row) => JSON.stringify({ ...row, outcome: '' }))).size).toBe(TABLE.length);
  });

  it.each(TABLE)(
    'for $mode, logged in $session, trusted $trusted, auto $auto, verified $verified, e-mail of $holder, identity $identity, disabled $disabled is $outcome',
    async (row) => {
      const scene = await stage(row);
      const before = await usersNow();
      const answer = await play(row, scene);
      await expectOutcome(row, scene, answer);
      expect((await usersNow()) - before).toBe(row.outcome.startsWith('new') ? 1 : 0);
      const kept = row.holder === 'claimant' && row.outcome === 'new+email' ? null : scene.email;
      if (scene.holder) expect((await userBy('id', scene.holder.id)).email).toBe(kept);
    },
  );
});

describe('a login by a linked identity', () => {
  it('does not restore a link that was removed in the meantime', async () => {
    const provider = providers.add();
    const subject = unique('subject');
    await linkedAccount(provider, subject);
    const identities = service.app.get(IdentitiesService, { strict: false });
    const find = identities.find.bind(identities);
    jest.spyOn(identities, 'find').mockImplementationOnce(async (identity) => {
      const found = await find(identity);
      await service.query('DELETE FROM user_identity WHERE id = $1', [found!.id]);
      return found;
    });
    expect((await roundTrip(service.client(), provider)).body.status).toBe('bind_required');
    expect(await ownersOf(subject)).toEqual([]);
  });

  it('does not link by an e-mail that was removed in the meantime', async () => {
    const provider = providers.add({ trustEmail: true });
    const [subject, email] = [unique('subject'), `${unique('person')}@example.com`];
    const { id } = await account(unique('owner'), email, true);
    provider.person(subject, { email, emailVerified: true });
    const users = service.app.get(UserRepository, { strict: false });
    const find = users.findByEmail.bind(users);
    jest.spyOn(users, 'findByEmail').mockImplementationOnce(async (...given) => {
      const found = await find(...given);
      await service.query('UPDATE user_account SET email_verified = false WHERE id = $1', [id]);
      return found;
    });
    expect((await roundTrip(service.client(), provider)).body.status).toBe('bind_required');
    expect(await ownersOf(subject)).toEqual([]);
  });

  it('from a new browser is announced', async () => {
    const provider = providers.add();
    const { id } = await linkedAccount(provider, unique('subject'));
    const events: string[] = [];
    service.app.get(DomainEvents, { strict: false }).on(accountChanged, ({ type, user }) => {
      if (user.id === id) events.push(type);
      return Promise.resolve();
    });
    const browser = service.client();
    for (let login = 0; login < 2; login++) await roundTrip(browser, provider);
    expect(events).toEqual(['new_device']);
  });
});

describe('a rejected account link', () => {
  const failure = async (query = ''): Promise<string | undefined> => {
    const provider = providers.add();
    await linkedAccount(provider, unique('subject'));
    const mei = await service.signUp(unique('mei'));
    await mei.patch('/api/auth/me', { locale: 'zh' });
    const state = await beginBinding(mei, provider);
    const path = `/api/oauth/callback/${provider.provider.name}${query}`;
    const answer = await mei.post<Problem>(path, { code: 'code', state }, { headers: { 'accept-language': 'en' } });
    expectProblem(answer, 409, 'identity_taken');
    return answer.body.detail;
  };

  it("returns an error in the account's language unless the request names another", async () => {
    expect(await failure()).toMatch(/\p{Script=Han}/u);
    expect(await failure('?lang=en')).not.toMatch(/\p{Script=Han}/u);
  });
});
