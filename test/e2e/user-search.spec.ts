import { searchPerMinutePerUser } from '../../src/auth';
import { Account } from '../support/accounts/accounts';
import { expectProblem } from '../support/service/expect-problem';
import { Answer, Problem, SendOptions, TestClient } from '../support/service/test-client';
import { PASSWORD, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

interface PublicUser {
  readonly id: string;
  readonly username: string;
  readonly nickname: string;
  readonly avatar: string;
  readonly name: string;
  readonly icon: string;
}

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

describe('POST /api/auth/users', () => {
  let service: TestService;
  let ann: TestClient;
  const ids = new Map<string, string>();

  const ask = <T = PublicUser[] & Problem>(body: unknown, options?: SendOptions): Promise<Answer<T>> =>
    ann.post<T>('/api/auth/users', body, options);
  const namesFor = async (body: unknown): Promise<string[]> => {
    const { body: found } = await ask(body);
    return found.map(({ username }) => username);
  };
  const idOf = (username: string): string => ids.get(username) ?? '';
  const fieldsOf = ({ body }: Answer<Problem>): string[] =>
    (body.errors ?? []).map(({ field, code }) => `${field}: ${code}`);

  const people: Record<string, Record<string, unknown>> = {
    zoe: { nickname: 'Zoë', email: 'zoe@example.com', phone: '+8613800138000' },
    Bob: {},
    bobby: { nickname: 'Robert' },
    under_score: {},
    underXscore: {},
    percent: { nickname: '100%er' },
    slash: { nickname: 'back\\slash' },
    robin: { nickname: 'bobolink' },
    xiaoming: { nickname: '小明同学' },
    umlaut: { nickname: 'Ångström' },
  };

  withService(async (started) => {
    service = started;
    for (const [username, more] of Object.entries(people)) {
      const { body } = await service
        .client()
        .post<{ user: Account }>('/api/auth/register', { username, password: PASSWORD, ...more });
      ids.set(username, body.user.id);
    }
    ann = await service.logIn('zoe');
    await service.set(searchPerMinutePerUser, 1_000);
  });

  it('returns six members of a user and nothing else', async () => {
    const answer = await ask({ ids: [idOf('zoe'), idOf('Bob')] });
    const [zoe, bob] = answer.body;
    expect(answer.status).toBe(200);
    expect(zoe).toEqual({
      id: idOf('zoe'),
      username: 'zoe',
      nickname: 'Zoë',
      avatar: expect.stringMatching(/^\/api\/avatar\//) as string,
      name: 'Zoë',
      icon: `http://localhost:80${zoe?.avatar}`.replace(':80', ''),
    });
    expect(bob).toMatchObject({ nickname: '', name: 'Bob' });
    expect(Object.keys(bob ?? {}).sort()).toEqual(['avatar', 'icon', 'id', 'name', 'nickname', 'username']);
    for (const secret of ['example.com', '13800138000', 'argon2']) expect(answer.text).not.toContain(secret);
  });

  it('returns the same six for a search by keyword', async () => {
    const [byKeyword] = (await ask({ keyword: 'zoe' })).body;
    expect(byKeyword).toEqual((await ask({ ids: [idOf('zoe')] })).body[0]);
  });

  it('returns an avatar address that can be fetched', async () => {
    const { body } = await ask({ ids: [idOf('Bob')] }, { headers: { host: 'id.example.com:8443' } });
    expect(body[0]?.icon).toBe(`http://id.example.com:8443${body[0]?.avatar}`);
    expect((await ann.get(new URL(body[0]!.icon).pathname)).status).toBe(200);

    await ann.patch('/api/auth/me', { avatar: 'https://cdn.example.com/z.png' });
    expect((await ask({ ids: [idOf('zoe')] })).body[0]?.icon).toBe('https://cdn.example.com/z.png');
    await ann.patch('/api/auth/me', { avatar: '/api/avatar/zoe.svg' });
  });

  describe('by ids', () => {
    it('keeps the requested order, returns each user once and omits unknown ones', async () => {
      const asked = [idOf('slash'), UNKNOWN, idOf('Bob'), idOf('slash'), idOf('percent'), UNKNOWN, idOf('Bob')];
      expect(await namesFor({ ids: asked })).toEqual(['slash', 'Bob', 'percent']);
    });

    it('returns no user for an empty list', async () => {
      expect(await namesFor({ ids: [] })).toEqual([]);
      expect(await namesFor({ ids: [UNKNOWN] })).toEqual([]);
    });

    it('returns a disabled user’s name', async () => {
      await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = 'percent'`);
      expect(await namesFor({ ids: [idOf('percent')] })).toEqual(['percent']);
      expect(await namesFor({ keyword: 'percent' })).toEqual([]);
      await service.query(`UPDATE user_account SET status = 'active' WHERE username = 'percent'`);
      expect(await namesFor({ keyword: 'percent' })).toEqual(['percent']);
    });

    it('accepts a hundred and not one more', async () => {
      const many = Array.from({ length: 100 }, (_, index) => UNKNOWN.slice(0, -3) + String(index).padStart(3, '0'));
      expect((await ask({ ids: many })).status).toBe(200);
      expect(fieldsOf(await ask({ ids: [...many, UNKNOWN] }))).toEqual(['ids: max_items']);
    });

    it.each([['no-id'], [5], [null], [UNKNOWN.toUpperCase().replace('7', 'A')], [{ id: UNKNOWN }], [[UNKNOWN]]])(
      'rejects %j among the ids',
      async (id) => {
        const answer = await ask({ ids: [UNKNOWN, id] });
        expect(answer.status).toBe(400);
        expect(answer.body.errors?.[0]?.field).toMatch(/^ids/);
      },
    );
  });

  describe('by keyword', () => {
    it('finds prefixes of username or nickname, sorted by username', async () => {
      expect(await namesFor({ keyword: 'bob' })).toEqual(['Bob', 'bobby', 'robin']);
      expect(await namesFor({ keyword: 'obby' })).toEqual([]);
      expect(await namesFor({ keyword: 'link' })).toEqual([]);
    });

    it.each([
      ['BOB', ['Bob', 'bobby', 'robin']],
      ['rOb', ['bobby', 'robin']],
      ['小明', ['xiaoming']],
      ['小明同学', ['xiaoming']],
      ['Ångs', ['umlaut']],
      ['Zo', ['zoe']],
      ['Zoë', ['zoe']],
    ])('%s finds %j', async (keyword, found) => {
      expect(await namesFor({ keyword })).toEqual(found);
    });

    it.each([
      ['r_', []],
      ['under_', ['under_score']],
      ['%%', []],
      ['100%', ['percent']],
      ['1__%', []],
      ['__', []],
      ['back\\', ['slash']],
      ['back\\s', ['slash']],
      ['\\\\', []],
      ['bo%', []],
      [`' OR 1=1--`, []],
    ])('treats %s literally', async (keyword, found) => {
      expect(await namesFor({ keyword })).toEqual(found);
    });

    it('returns at most the requested number, sorted by username', async () => {
      expect(await namesFor({ keyword: 'bob', limit: 2 })).toEqual(['Bob', 'bobby']);
      expect(await namesFor({ keyword: 'bob', limit: 1 })).toEqual(['Bob']);
    });

    it('returns twenty by default', async () => {
      await service.query(
        `INSERT INTO user_account (id, username)
         SELECT gen_random_uuid(), 'crowd_' || lpad(n::text, 2, '0') FROM generate_series(1, 60) AS n`,
      );
      expect(await namesFor({ keyword: 'crowd' })).toEqual(
        Array.from({ length: 20 }, (_, index) => `crowd_${String(index + 1).padStart(2, '0')}`),
      );
      expect(await namesFor({ keyword: 'crowd', limit: 50 })).toHaveLength(50);
    });

    it.each([
      [{ keyword: 'a' }, 'keyword: min_length'],
      [{ keyword: '' }, 'keyword: min_length'],
      [{ keyword: 'a'.repeat(51) }, 'keyword: max_length'],
      [{ keyword: 5 }, 'keyword: type_text'],
      [{ keyword: ['an'] }, 'keyword: type_text'],
      [{ keyword: 'a\0b' }, 'keyword: well_formed'],
      [{ keyword: 'an', limit: 0 }, 'limit: min'],
      [{ keyword: 'an', limit: 51 }, 'limit: max'],
      [{ keyword: 'an', limit: 1.5 }, 'limit: type_integer'],
      [{ keyword: 'an', limit: '5' }, 'limit: type_integer'],
      [{ keyword: 'an', status: 'disabled' }, 'status: unknown_field'],
    ])('rejects %j', async (body, violation) => {
      const answer = await ask(body);
      expect(answer.status).toBe(400);
      expect(fieldsOf(answer)).toEqual([violation]);
    });

    it('accepts fifty characters', async () => {
      expect(await namesFor({ keyword: '𝄞'.repeat(50) })).toEqual([]);
    });
  });

  it('returns users by id first, then found ones, each once', async () => {
    expect(await namesFor({ ids: [idOf('robin'), idOf('slash')], keyword: 'bob' })).toEqual([
      'robin',
      'slash',
      'Bob',
      'bobby',
    ]);
  });

  it.each([{}, { limit: 5 }])('requires ids or a keyword: %j', async (body) => {
    const answer = await ask(body);
    expectProblem(answer, 400, 'validation_failed');
  });

  it('requires a login', async () => {
    expect((await service.client().post('/api/auth/users', { keyword: 'bob' })).status).toBe(401);
  });

  describe('with a limit', () => {
    afterEach(() => service.set(searchPerMinutePerUser, 1_000));

    it('is limited by user across sessions', async () => {
      await service.register('busy');
      await service.set(searchPerMinutePerUser, 3);
      const sessions = [await service.logIn('busy'), await service.logIn('busy')];
      const search = (client: TestClient): Promise<Answer<Problem>> =>
        client.post('/api/auth/users', { keyword: 'bob' });
      for (const client of [sessions[0]!, sessions[1]!, sessions[0]!]) expect((await search(client)).status).toBe(200);
      const rejected = await search(sessions[1]!);
      expectProblem(rejected, 429, 'rate_limited');
      expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect((await search(await service.signUp('rested'))).status).toBe(200);
    });
  });
});
