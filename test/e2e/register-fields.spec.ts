import { emailCodeRequired, phoneCodeRequired } from '../../src/auth';
import { defaultRegion, rejectCommonPasswords } from '../../src/users';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface Registered {
  readonly user: Record<string, unknown> & { readonly id: string };
}

describe('registration rules', () => {
  let service: TestService;
  let client: TestClient;
  let names = 0;

  const freshName = (): string => `user_${++names}`;
  const register = <T = Registered & Problem>(body: unknown): Promise<Answer<T>> =>
    client.post<T>('/api/auth/register', body);
  /** A valid registration except for the given fields. */
  const tryWith = (more: Record<string, unknown>): Promise<Answer<Registered & Problem>> =>
    register({ username: freshName(), password: PASSWORD, ...more });
  const count = async (): Promise<number> => {
    const [row] = await service.query<{ count: number }>('SELECT count(*)::int AS count FROM user_account');
    return row?.count ?? -1;
  };
  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);

  withService((started) => {
    service = started;
  });

  beforeEach(() => {
    client = service.client();
  });

  describe('all fields', () => {
    afterEach(async () => {
      for (const setting of [emailCodeRequired, phoneCodeRequired]) await service.set(setting, false);
    });

    it('are reported together, those of the body and those of settings', async () => {
      await service.set(emailCodeRequired, true);
      const before = await count();
      const answer = await register({ username: 'x', password: 'short', phone: 'nonsense', extra: 1 });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer).sort()).toEqual([
        'email: required',
        'email_code: required',
        'extra: unknown_field',
        'password: min_length',
        'phone: phone',
        'username: min_length',
      ]);
      expect(await count()).toBe(before);
    });

    it('are reported together with a common password', async () => {
      const answer = await register({ username: 'x', password: 'password' });
      expectProblem(answer, 400, 'validation_failed');
      expect(fieldsOf(answer).sort()).toEqual(['password: password_too_common', 'username: min_length']);
    });

    it('are reported together when all are missing', async () => {
      await service.set(phoneCodeRequired, true);
      const answer = await register({});
      expect(fieldsOf(answer).sort()).toEqual([
        'password: required',
        'phone: required',
        'phone_code: required',
        'username: required',
      ]);
    });
  });

  describe('username', () => {
    it.each(['abc', 'a'.repeat(50), '___', '123', 'Z9_'])('accepts %s', async (username) => {
      expect((await tryWith({ username })).status).toBe(201);
    });

    it.each([
      ['too short', 'ab'],
      ['empty', ''],
      ['too long', 'a'.repeat(51)],
      ['a space', 'two words'],
      ['a dash', 'with-dash'],
      ['an e-mail', 'ann@example.com'],
      ['a phone', '+8613800138000'],
      ['a national phone', '13800138000'],
      ['digits in full width', '１２３４５６７'],
      ['a Cyrillic letter', 'аdmin'],
      ['a combining mark', 'ann\u0301'],
      ['NUL', 'ann\0'],
      ['Chinese', '管理员管理员'],
      ['SQL', `' OR 1=1--`],
    ])('rejects %s', async (_, username) => {
      const answer = await tryWith({ username });
      expectProblem(answer, 400, 'validation_failed');
      expect(answer.body.errors?.map(({ field }) => field)).toEqual(['username']);
    });

    it.each([
      ['padded', ' padded '],
      ['trailing', 'trailing\n'],
      ['same', '\u017Fame'],
      ['Kelvin', '\u212Aelvin'],
      ['wide', 'ｗｉｄｅ'],
      ['unseen', 'unseen\u200B'],
    ])('is %s when typed as %j', async (username, typed) => {
      expect((await tryWith({ username: typed })).body.user['username']).toBe(username);
    });

    it('keeps its spelling and is unique regardless of case', async () => {
      const first = await tryWith({ username: 'MixedCase' });
      expect(first.body.user['username']).toBe('MixedCase');
      for (const username of ['MixedCase', 'mixedcase', 'MIXEDCASE', 'mIXEDcASE']) {
        const answer = await tryWith({ username });
        expectProblem(answer, 409, 'username_taken');
      }
    });

    it('consisting of digits, from before, identifies only its user and not the owner of that phone number', async () => {
      const number = '13800138765';
      const owner = freshName();
      await tryWith({ username: owner, phone: number });
      await service.query('UPDATE user_account SET phone_verified = true WHERE username = $1', [owner]);
      const other = 'a password of the other';
      const former = freshName();
      expect((await tryWith({ username: former, password: other })).status).toBe(201);
      await service.query('UPDATE user_account SET username = $1 WHERE username = $2', [number, former]);
      const nameOf = async (username: string, password: string): Promise<string> => {
        const { body } = await (await service.logIn(username, password)).get<{ username: string }>('/api/auth/me');
        return body.username;
      };
      expect([await nameOf(`+86${number}`, PASSWORD), await nameOf(number, other)]).toEqual([owner, number]);
      await expect(service.logIn(number, PASSWORD)).rejects.toThrow('invalid_credentials');
      await expect(service.logIn(`+86${number}`, other)).rejects.toThrow('invalid_credentials');
    });

    it('goes to the first of many concurrent requests', async () => {
      const spelled = Array.from({ length: 12 }, (_, index) => (index % 2 ? 'Wanted_Name' : 'wanted_name'));
      const answers = await Promise.all(spelled.map((username) => tryWith({ username })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(11).fill(409)]);
    });

    it('goes to one user when two instances are asked concurrently', async () => {
      const other = await service.another();
      const asks = [0, 1, 2, 3].map((index) =>
        (index % 2 ? other : service)
          .client()
          .post('/api/auth/register', { username: 'two_houses', password: PASSWORD }),
      );
      const statuses = (await Promise.all(asks)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([201, 409, 409, 409]);
    });
  });

  describe('password', () => {
    const astral = '𝄞';

    it.each([
      ['8 letters', 'qzjxkvwp'],
      ['256 letters', 'qzjxkvwp'.repeat(32)],
      ['8 astral characters', astral.repeat(8)],
      ['256 astral characters', astral.repeat(256)],
      ['Chinese', '我的密码很安全呢'],
      ['spaces alone', ' '.repeat(8)],
      ['letters of one kind', 'jwqpzkxvtt'],
      ['256 characters that are 512 before NFC', 'e\u0301'.repeat(256)],
      ['256 of the longest decomposition', '\u{1D15F}'.repeat(128)],
    ])('accepts %s, which can then log in', async (_, password) => {
      const username = freshName();
      expect((await tryWith({ username, password })).status).toBe(201);
      await service.logIn(username, password);
    });

    it.each([
      ['7 letters', 'qzjxkvw', 'min_length'],
      ['nothing', '', 'min_length'],
      ['257 letters', 'q'.repeat(257), 'max_length'],
      ['7 astral characters', astral.repeat(7), 'min_length'],
      ['257 astral characters', astral.repeat(257), 'max_length'],
      ['7 characters that are 14 before NFC', 'e\u0301'.repeat(7), 'min_length'],
      ['1025 letters', 'q'.repeat(1_025), 'max_length'],
      ['NUL', 'qzjxkvwp\0', 'well_formed'],
    ])('rejects %s', async (_, password, code) => {
      const answer = await tryWith({ password });
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual([`password: ${code}`]);
    });

    it('rejects a lone surrogate', async () => {
      const raw = `{"username":"${freshName()}","password":"qzjxkvwp\\ud800"}`;
      const answer = await client.post<Problem>('/api/auth/register', undefined, {
        raw,
        headers: { 'content-type': 'application/json' },
      });
      expect(fieldsOf(answer)).toEqual(['password: well_formed']);
    });

    it('is the same in either Unicode form, and in no other spelling', async () => {
      const username = freshName();
      await tryWith({ username, password: 'Ångström élan ' });
      await service.logIn(username, 'Ångström élan '.normalize('NFD'));
      for (const wrong of ['Ångström élan', 'ångström élan ', ' Ångström élan ', 'Angstrom elan ']) {
        await expect(service.logIn(username, wrong)).rejects.toThrow('invalid_credentials');
      }
    });

    it('counts beyond the 72nd byte', async () => {
      const username = freshName();
      await tryWith({ username, password: `${'x'.repeat(90)}one` });
      await expect(service.logIn(username, `${'x'.repeat(90)}two`)).rejects.toThrow('invalid_credentials');
    });

    it.each(['password', 'PassWord1', '12345678', 'qwertyuiop'])('rejects the common password %s', async (password) => {
      const before = await count();
      const answer = await tryWith({ password });
      expectProblem(answer, 400, 'password_too_common');
      expect(await count()).toBe(before);
    });

    it('rejects the username in any case', async () => {
      const answer = await register({ username: 'Same_As_Name', password: 'sAME_aS_nAME' });
      expectProblem(answer, 400, 'password_too_common');
    });

    it('may be common or the username while the setting is off', async () => {
      await service.set(rejectCommonPasswords, false);
      try {
        expect((await tryWith({ password: '12345678' })).status).toBe(201);
        expect((await register({ username: 'Same_As_Name', password: 'same_as_name' })).status).toBe(201);
      } finally {
        await service.set(rejectCommonPasswords, true);
      }
    });
  });

  describe('nickname', () => {
    it.each(['', 'Ann', '小明', 'Zoë 👩‍👩‍👧', 'x'.repeat(50), '𝄞'.repeat(50), ' padded '])(
      'accepts "%s" unchanged',
      async (nickname) => {
        expect((await tryWith({ nickname })).body.user['nickname']).toBe(nickname);
      },
    );

    it('treats null as missing', async () => {
      expect((await tryWith({ nickname: null })).body.user['nickname']).toBe('');
    });

    it.each([
      ['51 characters', 'x'.repeat(51), 'max_length'],
      ['endless variation selectors', '\uFE0F'.repeat(10_000), 'max_length'],
      ['a line break', 'a\nb', 'no_control_characters'],
      ['a directional override', 'a\u202Eb', 'no_control_characters'],
      ['NUL', 'a\0b', 'well_formed'],
      ['only invisible characters', '\u200B\u200B', 'visible'],
    ])('rejects %s', async (_, nickname, code) => {
      expect(fieldsOf(await tryWith({ nickname }))).toEqual([`nickname: ${code}`]);
    });
  });

  describe('contacts', () => {
    it('keep the spelling of an e-mail and are unverified', async () => {
      const { body } = await tryWith({ email: 'Ann.Typed@Example.COM' });
      expect(body.user).toMatchObject({ email: 'Ann.Typed@Example.COM', email_verified: false });
    });

    it('have a unique e-mail regardless of case', async () => {
      await tryWith({ email: 'Once@Example.com' });
      for (const email of ['Once@Example.com', 'once@example.COM', 'ONCE@EXAMPLE.COM']) {
        const answer = await tryWith({ email });
        expectProblem(answer, 409, 'email_taken');
      }
    });

    it.each([
      'no',
      '@example.com',
      'a@b',
      'a b@example.com',
      'a@example.com,b@example.com',
      'аnn@example.com',
      `${'a'.repeat(65)}@example.com`,
    ])('reject the e-mail %j', async (email) => {
      expect(fieldsOf(await tryWith({ email }))).toEqual(['email: email']);
    });

    it('may be "" and null for any number of users', async () => {
      for (const none of ['', null, '', null]) {
        const { body } = await tryWith({ email: none, phone: none });
        expect(body.user).toMatchObject({ email: null, phone: null });
      }
    });

    it('store a phone in E.164 and read a national number in the configured region', async () => {
      expect((await tryWith({ phone: '138 0013 8000' })).body.user['phone']).toBe('+8613800138000');
      expect((await tryWith({ phone: '+44 20 7946 0958' })).body.user['phone']).toBe('+442079460958');

      await service.set(defaultRegion, 'GB');
      try {
        const { body } = await tryWith({ phone: '020 7946 0959' });
        expect(body.user).toMatchObject({ phone: '+442079460959', phone_verified: false });
      } finally {
        await service.set(defaultRegion, 'CN');
      }
    });

    it('have a unique phone in any spelling', async () => {
      await tryWith({ phone: '+8613800138001' });
      for (const phone of ['+8613800138001', '13800138001', '138-0013-8001', '+86 (138) 0013 8001']) {
        const answer = await tryWith({ phone });
        expectProblem(answer, 409, 'phone_taken');
      }
    });

    it.each(['123', '+86138001380', 'call me', '+8613800138000;ext=1', '13800138000\n1', '+1900123456789'])(
      'reject the phone %j',
      async (phone) => {
        expect(fieldsOf(await tryWith({ phone }))).toEqual(['phone: phone']);
      },
    );

    it('are stored for neither account field when one of the two is taken', async () => {
      await tryWith({ email: 'half@example.com' });
      await tryWith({ email: 'half@example.com', phone: '+8613800138055' });
      expect((await tryWith({ phone: '+8613800138055' })).status).toBe(201);
    });
  });
});
