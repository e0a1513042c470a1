import { MAX_WRONG_PER_DAY } from '../../src/verification/wrong-codes-per-day';
import { codeResend, maxDailyCodes } from '../../src/verification';
import { codeFor, errorOf, known, newPerson, otherThan, Person, withCodes } from '../support/accounts/codes';
import { expectProblem } from '../support/service/expect-problem';
import { testMessages } from '../support/receivers/test-messages';
import { SoftAuthenticator } from '../support/accounts/soft-authenticator';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';

const WRONG = 'x';
const NEW_PASSWORD = 'another good pass phrase';

let service: TestService;

withCodes((started) => {
  service = started;
});

type Use = (client: TestClient, person: Person, code: string) => Promise<Answer<Problem>>;

const logIn: Use = (client, { email }, code) => client.post<Problem>('/api/auth/login', { type: 'email', email, code });
const reset: Use = (client, { email }, code) =>
  client.post<Problem>('/api/auth/password/reset', {
    channel: 'email',
    target: email,
    code,
    new_password: NEW_PASSWORD,
  });
const register: Use = (client, { username, email }, code) =>
  client.post<Problem>('/api/auth/register', { username, password: PASSWORD, email, email_code: code });
const bind: Use = (client, { email }, code) => client.patch<Problem>('/api/auth/me', { email, email_code: code });
const reauthenticate: Use = (client, _, code) =>
  client.post<Problem>('/api/auth/reauthenticate', { channel: 'email', code });

const codesOf = (person: Person): Promise<Record<string, unknown>[]> =>
  service.query('SELECT * FROM verification_code WHERE target = $1 ORDER BY created_at', [person.email]);
const countsOf = async (person: Person): Promise<unknown> =>
  (await service.query('SELECT wrong, wrong_own FROM verification_target WHERE target = $1', [person.email]))[0];
const browser = async (): Promise<TestClient> => service.client();
const session = (): Promise<TestClient> => service.signUp(newPerson().username);
const ownSession = ({ username }: Person): Promise<TestClient> => service.logIn(username, PASSWORD);
const stranger = async (): Promise<Person> => newPerson();
const failPasswords = async ({ username }: Person): Promise<void> => {
  for (let count = 0; count < 10; count++) {
    const attempt = { type: 'password', username, password: 'not the password at all' };
    await service.client().post('/api/auth/login', attempt);
  }
};

/** Each use of a code: who has the contact, who attacks, and who is the owner of the code. */
const uses: [
  string,
  string,
  Use,
  () => Promise<Person>,
  () => Promise<TestClient>,
  (p: Person) => Promise<TestClient>,
][] = [
  ['a login', 'login', logIn, () => known(service), browser, browser],
  ['a reset', 'reset_password', reset, () => known(service), browser, browser],
  ['a registration', 'register', register, stranger, browser, browser],
  ['a new contact', 'bind', bind, stranger, session, session],
  ['a confirmed login', 'login', reauthenticate, () => known(service), browser, ownSession],
];

describe.each(uses)('the code for %s', (_, purpose, use, personOf, attackerOf, ownerOf) => {
  /** Others cannot confirm a login, but use up the same codes by a login. */
  const attack = use === reauthenticate ? logIn : use;

  it('passes after wrong codes that nobody requested, which do not count', async () => {
    const person = await personOf();
    const owner = await ownerOf(person);
    for (let count = 0; count < 40; count++) {
      expect(errorOf(await attack(await attackerOf(), person, WRONG))).toEqual([400, 'code_invalid']);
    }
    expect(await countsOf(person)).toBeUndefined();
    expect((await use(owner, person, await codeFor(owner, purpose, person.email))).status).toBeLessThan(300);
  });

  it('passes in the browser that requested it, whatever others try and request', async () => {
    const person = await personOf();
    const owner = await ownerOf(person);
    const code = await codeFor(owner, purpose, person.email);
    for (let count = 0; count < 40; count++) {
      const attacker = await attackerOf();
      if (count % 5 === 0) await codeFor(attacker, purpose, person.email);
      expect((await attack(attacker, person, WRONG)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await use(owner, person, code)).status).toBeLessThan(300);
    expect(await codesOf(person)).toEqual([]);
  });
});

describe('the browser that requested a code', () => {
  it('has a cookie that no script reads, only after a request that was accepted', async () => {
    const { email } = newPerson();
    const ask = (client: TestClient): Promise<Answer<Problem>> =>
      client.post<Problem>('/api/auth/codes', { purpose: 'register', channel: 'email', target: email });
    const client = service.client();
    const { setCookies } = await ask(client);
    expect(setCookies).toEqual([
      expect.stringMatching(/^iam_code=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    await service.set(codeResend, 60);
    try {
      const rejected = await ask(client);
      expect([rejected.status, rejected.setCookies]).toEqual([429, []]);
    } finally {
      await service.set(codeResend, 0);
    }
  });

  it('can use the newest code that it requested, and one that another client received later', async () => {
    const person = newPerson();
    const client = service.client();
    const first = await codeFor(client, 'register', person.email);
    const second = await codeFor(client, 'register', person.email);
    if (first !== second) expectProblem(await register(client, person, first), 400, 'code_invalid');
    const later = await codeFor(service.client(), 'register', person.email);
    expect((await register(client, person, later)).status).toBe(201);
  });

  it('has five attempts, also for parallel ones, and others have five', async () => {
    const person = newPerson();
    const client = service.client();
    const code = await codeFor(client, 'register', person.email);
    const wrong = otherThan(code);
    const attempts = Array.from({ length: 40 }, (_, turn) =>
      register(turn % 2 ? client : service.client(), person, wrong),
    );
    for (const answer of await Promise.all(attempts)) expectProblem(answer, 400, 'code_invalid');
    expect(await codesOf(person)).toMatchObject([{ attempts: 5, shared_attempts: 5 }]);
    expect(await countsOf(person)).toEqual({ wrong: 5, wrong_own: 5 });
    for (const one of [client, service.client()]) {
      expectProblem(await register(one, person, code), 400, 'code_invalid');
    }
  });

  it('logs in to a locked account by the code, and others do not', async () => {
    const person = await known(service);
    const client = service.client();
    await failPasswords(person);
    const password = { type: 'password', username: person.username, password: PASSWORD };
    expectProblem(await client.post('/api/auth/login', password), 429, 'account_locked');
    const code = await codeFor(client, 'login', person.email);
    expectProblem(await logIn(service.client(), person, code), 429, 'account_locked');
    const forged = service.client();
    forged.jar.set('iam_code', 'x'.repeat(43));
    expectProblem(await logIn(forged, person, code), 429, 'account_locked');
    expectProblem(await logIn(client, person, otherThan(code)), 400, 'code_invalid');
    expect((await logIn(client, person, code)).status).toBe(200);
  });
});

it('a lock by wrong passwords leaves passkeys alone', async () => {
  const person = await known(service);
  const owner = await service.logIn(person.username, PASSWORD);
  const authenticator = new SoftAuthenticator();
  const creation = await owner.post<Parameters<SoftAuthenticator['make']>[0]>('/api/auth/passkeys/options');
  const made = { name: 'Key', response: authenticator.make(creation.body) };
  expect((await owner.post('/api/auth/passkeys', made)).status).toBe(201);
  await failPasswords(person);
  const client = service.client();
  const request = await client.post<Parameters<SoftAuthenticator['prove']>[0]>('/api/auth/login/passkey/options');
  const response = authenticator.prove(request.body);
  expect((await client.post('/api/auth/login', { type: 'passkey', response })).status).toBe(200);
});

it('wrong codes do not lock passwords', async () => {
  const person = await known(service);
  await codeFor(service.client(), 'login', person.email);
  for (let count = 0; count < 15; count++) await logIn(service.client(), person, WRONG);
  for (let count = 0; count < 15; count++) await reset(service.client(), person, WRONG);
  await service.logIn(person.username, PASSWORD);
});

describe('wrong codes for a contact', () => {
  it('are bounded for a day, whoever requests them, and counted again on the next day', async () => {
    const person = newPerson();
    const outcomes = { own: 0, shared: 0 };
    for (let request = 0; request < 16; request++) {
      const client = service.client();
      const code = await codeFor(client, 'register', person.email);
      for (let attempt = 0; attempt < 5; attempt++) {
        if ((await register(client, person, otherThan(code))).status === 400) outcomes.own++;
        if ((await register(service.client(), person, otherThan(code))).status === 400) outcomes.shared++;
      }
    }
    expect(outcomes).toEqual(MAX_WRONG_PER_DAY);
    const client = service.client();
    const code = await codeFor(client, 'register', person.email);
    const limited = await register(client, person, code);
    expectProblem(limited, 429, 'rate_limited');
    const midnight = (new Date().setUTCHours(24, 0, 0, 0) - Date.now()) / 1_000;
    expect(Math.abs(Number(limited.headers['retry-after']) - midnight)).toBeLessThan(60);
    await service.query('UPDATE verification_target SET wrong_on = wrong_on - 1 WHERE target = $1', [person.email]);
    expect((await register(client, person, code)).status).toBe(201);
  });

  it('leave all attempts to the browser that requested a code, whatever others do that requested codes, too', async () => {
    const person = newPerson();
    await service.set(maxDailyCodes, 14);
    try {
      const before = await Promise.all(Array.from({ length: 14 }, () => browser()));
      for (const client of before) await codeFor(client, 'register', person.email);
      // At midnight, codes are pending that do not count for the day.
      await service.query('UPDATE verification_target SET sent_on = sent_on - 1 WHERE target = $1', [person.email]);
      const owner = service.client();
      const code = await codeFor(owner, 'register', person.email);
      for (const client of before) {
        for (let attempt = 0; attempt < 7; attempt++) await register(client, person, otherThan(code));
      }
      for (let attempt = 0; attempt < 4; attempt++) {
        expectProblem(await register(owner, person, otherThan(code)), 400, 'code_invalid');
      }
      expect((await register(owner, person, code)).status).toBe(201);
    } finally {
      await service.set(maxDailyCodes, -1);
    }
  });

  it('are answered the same for unknown contacts', async () => {
    const outcomes = async (person: Person): Promise<string[]> => {
      const answers: string[] = [];
      for (let request = 0; request < 8; request++) {
        const before = (await codesOf(person)).length;
        const ask = { purpose: 'login', channel: 'email', target: person.email };
        await service.client().post('/api/auth/codes', ask);
        while ((await codesOf(person)).length === before) await new Promise(setImmediate);
        for (let attempt = 0; attempt < 6; attempt++) {
          answers.push(errorOf(await logIn(service.client(), person, WRONG)).join(' '));
        }
      }
      return answers;
    };
    const [known1, unknown] = [await known(service), newPerson()];
    const answers = await outcomes(known1);
    expect(answers).toContain('429 rate_limited');
    expect(await outcomes(unknown)).toEqual(answers);
    expect(testMessages.to(unknown.email)).toEqual([]);
  });
});
