import { defaultRegion } from '../../src/users';
import { proveContacts } from '../support/accounts/accounts';
import { codeFor, known, Person, withCodes } from '../support/accounts/codes';
import { testMessages } from '../support/receivers/test-messages';
import { emailSpellings, nameSpellings, phoneSpellings } from '../support/accounts/spellings';
import type { Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';

const CHANNELS = [
  { channel: 'email', kind: 'email', contact: 'email', spellings: emailSpellings },
  { channel: 'sms', kind: 'phone', contact: 'phone', spellings: phoneSpellings },
] as const;

describe('identifiers as people type them', () => {
  let service: TestService;
  let admin: TestClient;
  let person: Person;

  withCodes(async (started) => {
    service = started;
    admin = await service.admin();
    person = await known(service);
  });

  const logIn = (body: object): Promise<{ status: number }> => service.client().post('/api/auth/login', body);

  it('open the account by its password', async () => {
    const spellings = [
      ...nameSpellings(person.username),
      ...emailSpellings(person.email),
      ...phoneSpellings(person.phone),
    ];
    for (const username of spellings) {
      const { status } = await logIn({ type: 'password', username, password: PASSWORD });
      expect([username, status]).toEqual([username, 200]);
    }
  });

  it('find a username of digits, from before, before a phone number', async () => {
    const national = person.phone.replace('+86', '');
    await service.register('from_before');
    await service.query(`UPDATE user_account SET username = $1 WHERE username = 'from_before'`, [national]);
    const wrong = await service.client().post<{ user: { username: string } }>('/api/auth/login', {
      type: 'password',
      username: national,
      password: PASSWORD,
    });
    expect(wrong.body.user.username).toBe(national);
  });

  it('find the owner of a short phone number before a username that anybody may take', async () => {
    await service.set(defaultRegion, 'AD');
    try {
      await service.register('owner_of_number', { phone: '+376312345' });
      await proveContacts(service, 'owner_of_number');
      await service.register('312345');
      for (const username of ['312345', '312 345', '+376312345']) {
        const body = { type: 'password', username, password: PASSWORD };
        const answer = await service.client().post<{ user: { username: string } }>('/api/auth/login', body);
        expect([username, answer.body.user.username]).toEqual([username, 'owner_of_number']);
      }
    } finally {
      await service.set(defaultRegion, defaultRegion.defaultValue);
    }
  });

  describe.each(CHANNELS)('of $kind', ({ channel, kind, contact, spellings }) => {
    it('receive a code and open the account by it', async () => {
      for (const target of spellings(person[contact])) {
        const before = testMessages.codes(person[contact]).length;
        const client = service.client();
        const { status } = await client.post('/api/auth/codes', { purpose: 'login', channel, target });
        expect([target, status]).toEqual([target, 202]);
        await eventually(
          async () => testMessages.codes(person[contact]).length,
          (count) => count > before,
        );
        const answer = await client.post('/api/auth/login', {
          type: channel,
          [contact]: target,
          code: testMessages.code(person[contact]),
        });
        expect([target, answer.status]).toEqual([target, 200]);
      }
    });

    it('reset the password', async () => {
      for (const target of spellings(person[contact])) {
        const client = service.client();
        const code = await codeFor(client, 'reset_password', person[contact]);
        const body = { channel, target, code, new_password: PASSWORD };
        const { status } = await client.post('/api/auth/password/reset', body);
        expect([target, status]).toEqual([target, 204]);
      }
    });

    it('are stored alike by registration, administrators and their owners', async () => {
      const plain = kind === 'email' ? 'typed@example.com' : '+8613900000001';
      for (const [index, typed] of spellings(plain).entries()) {
        const username = `typed_${kind}_${index}`;
        const registered = await service.client().post<{ user: Record<string, string> }>('/api/auth/register', {
          username,
          password: PASSWORD,
          [kind]: typed,
        });
        expect([typed, registered.status, registered.body.user[kind]]).toEqual([typed, 201, plain]);
        const owner = await service.logIn(username);
        await owner.patch('/api/auth/me', { [kind]: null });
        const changed = await owner.patch<Record<string, string>>('/api/auth/me', { [kind]: typed });
        expect([typed, changed.body[kind]]).toEqual([typed, plain]);
        await owner.patch('/api/auth/me', { [kind]: null });
        const made = await admin.post<Record<string, string>>('/api/user', {
          username: `${username}_a`,
          [kind]: typed,
        });
        expect([typed, made.status, made.body[kind]]).toEqual([typed, 201, plain]);
        await admin.delete(`/api/user/${made.body['id']}`);
      }
    });

    it('are found by administrators', async () => {
      for (const typed of spellings(person[contact]).slice(0, 3)) {
        const list = await admin.get<{ items: { username: string }[] }>(
          `/api/user?keyword=${encodeURIComponent(typed.trim())}`,
        );
        expect(list.body.items.map(({ username }) => username)).toContain(person.username);
      }
    });
  });

  it('name the field where nothing is left', async () => {
    const answer = await service.client().post<Problem>('/api/auth/login', {
      type: 'password',
      username: ' \u200b ',
      password: PASSWORD,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map(({ field, code }) => [field, code])).toEqual([['username', 'min_length']]);
  });

  it('leave passwords as typed', async () => {
    const { status } = await logIn({ type: 'password', username: person.username, password: ` ${PASSWORD}` });
    expect(status).toBe(401);
  });
});

describe('codes in the digits of other scripts', () => {
  let service: TestService;

  withCodes((started) => {
    service = started;
  });

  it.each([
    ['full-width', 0xff10],
    ['Arabic', 0x660],
    ['Persian', 0x6f0],
    ['Devanagari', 0x966],
    ['bold', 0x1d7ce],
  ])('in %s digits log in', async (_, zero) => {
    const person = await known(service);
    const client = service.client();
    const code = await codeFor(client, 'login', person.email);
    const typed = Array.from(code, (digit) => String.fromCodePoint(zero + Number(digit))).join('');
    const answer = await client.post('/api/auth/login', { type: 'email', email: person.email, code: typed });
    expect(answer.status).toBe(200);
  });
});
