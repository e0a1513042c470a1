import { Argon2PasswordHasher } from '../../src/platform/crypto';
import { platformErrors } from '../../src/platform/errors';
import { rateLimitsEnabled } from '../../src/platform/http';
import { addressFailureThreshold, lockoutSeconds, lockoutThreshold } from '../../src/login/lockout.settings';
import type { Answer, Problem, TestClient } from '../support/test-client';
import { eventually, PASSWORD, TestService } from '../support/test-service';

const WRONG = 'not the password at all';

/** Counts what reaches the verifier, and can be as overloaded as the real one. */
class CountingHasher extends Argon2PasswordHasher {
  static verified: string[] = [];
  static isOverloaded = false;

  constructor() {
    super({ memoryKib: 64, passes: 1, lanes: 1 });
  }

  override async verify(plaintext: string, phc: string): Promise<boolean> {
    if (CountingHasher.isOverloaded) throw platformErrors.unavailable({ retryAfterSeconds: 3 });
    CountingHasher.verified.push(plaintext);
    return super.verify(plaintext, phc);
  }
}

describe('the lockout', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({ identity: { extensions: { passwordHasher: CountingHasher } } });
  });

  beforeEach(() => {
    CountingHasher.verified = [];
    CountingHasher.isOverloaded = false;
  });

  afterAll(() => service.stop());

  const logIn = (client: TestClient, username: string, password: string): Promise<Answer<Problem>> =>
    client.post<Problem>('/api/auth/login', { type: 'password', username, password });

  const guess = (username: string, client = service.client()): Promise<Answer<Problem>> =>
    logIn(client, username, WRONG);

  const outcome = ({ status, body }: Answer<Problem>): string => (status === 200 ? '200' : `${status} ${body.code}`);

  const guessTimes = async (times: number, username: string, client?: TestClient): Promise<void> => {
    for (let count = 0; count < times; count++) {
      expect(outcome(await guess(username, client))).toBe('401 invalid_credentials');
    }
  };

  const expectLocked = (answer: Answer<Problem>, code = 'account_locked'): void => {
    expect(outcome(answer)).toBe(`429 ${code}`);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(answer.setCookies).toEqual([]);
  };

  describe('of an account', () => {
    it('comes with the tenth failure, also for the right password, and leaves other accounts alone', async () => {
      await service.register('ann');
      await service.register('neighbour');
      const client = service.client();
      await guessTimes(10, 'ann', client);
      CountingHasher.verified = [];
      expectLocked(await logIn(client, 'ann', PASSWORD));
      const events = await service.query<{ after: object }>(
        `SELECT after FROM audit_event WHERE action = 'login' AND target_label = 'ann' ORDER BY id`,
      );
      expect(events.map(({ after }) => after)).toEqual([
        ...Array.from({ length: 9 }, () => ({ method: 'password' })),
        { method: 'password', locked: true },
      ]);
      expectLocked(await logIn(service.client(), 'ANN', PASSWORD));
      expect(CountingHasher.verified).toEqual([]);
      expect(outcome(await logIn(client, 'neighbour', PASSWORD))).toBe('200');
    });

    it('lets no more than ten of 100 parallel guesses reach the verifier', async () => {
      await service.register('parallel');
      const answers = await Promise.all(Array.from({ length: 100 }, () => guess('parallel')));
      const outcomes = answers.map(outcome);
      expect(outcomes.filter((one) => one === '401 invalid_credentials')).toHaveLength(10);
      expect(outcomes.filter((one) => one === '429 account_locked')).toHaveLength(90);
      expect(CountingHasher.verified).toHaveLength(10);
      expectLocked(await logIn(service.client(), 'parallel', PASSWORD));
    });

    it('locks nobody out for logging in many times at once', async () => {
      await service.register('busy');
      const client = service.client();
      const answers = await Promise.all(
        Array.from({ length: 60 }, () =>
          client.post<Problem>(
            '/api/auth/login',
            { type: 'password', username: 'busy', password: PASSWORD },
            { cookie: '' },
          ),
        ),
      );
      expect(new Set(answers.map(outcome))).toEqual(new Set(['200']));
    });

    it('starts from none after a right password', async () => {
      await service.register('cleared');
      for (let round = 0; round < 3; round++) {
        await guessTimes(9, 'cleared');
        expect(outcome(await logIn(service.client(), 'cleared', PASSWORD))).toBe('200');
      }
    });

    it('is counted failure by failure, with every name of the account', async () => {
      await service.register('many_names', { email: 'Many@Example.com', phone: '+8613800138000' });
      await service.query(
        `UPDATE user_account SET email_verified = true, phone_verified = true WHERE username = 'many_names'`,
      );
      await guessTimes(3, 'many_names');
      await guessTimes(3, 'MANY@example.com');
      await guessTimes(4, '+86 138 0013 8000');
      for (const name of ['Many_Names', 'many@example.com', '+8613800138000']) {
        expectLocked(await logIn(service.client(), name, PASSWORD));
      }
    });

    it('ends after its time', async () => {
      await service.set(lockoutSeconds, 1);
      try {
        await service.register('ending');
        await guessTimes(10, 'ending');
        const locked = await logIn(service.client(), 'ending', PASSWORD);
        expect(locked.headers['retry-after']).toBe('1');
        await eventually(
          () => logIn(service.client(), 'ending', PASSWORD),
          ({ status }) => status === 200,
          3,
        );
      } finally {
        await service.set(lockoutSeconds, lockoutSeconds.defaultValue);
      }
    });

    it('follows its threshold at once, and stands though the rate limits are off', async () => {
      await service.set(lockoutThreshold, 2);
      await service.set(rateLimitsEnabled, false);
      try {
        await service.register('strict');
        await guessTimes(2, 'strict');
        expectLocked(await guess('strict'));
      } finally {
        await service.set(lockoutThreshold, lockoutThreshold.defaultValue);
        await service.set(rateLimitsEnabled, true);
      }
    });

    it('leaves the sessions of the account alone', async () => {
      const client = await service.signUp('sessions_stay');
      await guessTimes(10, 'sessions_stay');
      expectLocked(await guess('sessions_stay'));
      expect((await client.get('/api/auth/me')).status).toBe(200);
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
    });

    it('comes also for a disabled account, which is told of only after a right password', async () => {
      await service.register('disabled');
      await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = 'disabled'`);
      for (let count = 0; count < 12; count++) {
        expect(outcome(await logIn(service.client(), 'disabled', PASSWORD))).toBe('403 user_disabled');
      }
      await guessTimes(10, 'disabled');
      expectLocked(await logIn(service.client(), 'disabled', PASSWORD));
    });
  });

  describe('of a name nobody has', () => {
    it('locks like that of an account, in any case', async () => {
      await guessTimes(5, 'nobody_here');
      await guessTimes(5, 'NOBODY_here');
      expectLocked(await guess('nobody_here'));
    });

    it.each([9, 10])('tells nothing apart after %i failures: the same status, headers and body', async (failures) => {
      const known = `known_${failures}`;
      await service.register(known);
      const shape = async (username: string): Promise<unknown> => {
        await guessTimes(failures, username);
        const { status, headers, body, setCookies } = await guess(username);
        const { date, 'x-request-id': requestId, 'retry-after': wait, ...others } = headers;
        expect(date).toBeDefined();
        expect(requestId).toBe(body.request_id);
        // One second may pass between the two.
        const waits = wait === undefined ? undefined : Math.abs(Number(wait) - 900) <= 2;
        return { status, headers: others, waits, body: { ...body, request_id: '', params: undefined }, setCookies };
      };
      expect(await shape(known)).toEqual(await shape(`ghost_${failures}`));
    });

    it('costs a verification like a wrong password', async () => {
      await guess('nobody_at_all');
      expect(CountingHasher.verified).toEqual([WRONG]);
    });
  });

  describe('of a browser that logged in before', () => {
    it('counts apart: guesses from elsewhere do not lock the owner out', async () => {
      const owner = await service.signUp('owner');
      await owner.post('/api/auth/logout');
      await guessTimes(10, 'owner');
      expectLocked(await logIn(service.client(), 'owner', PASSWORD));
      expect(outcome(await logIn(owner, 'owner', PASSWORD))).toBe('200');
      // The owner's success opens the door for nobody else.
      expectLocked(await logIn(service.client(), 'owner', PASSWORD));
    });

    it('has a threshold of its own, of the same size', async () => {
      const stolen = await service.signUp('stolen_laptop');
      const phone = await service.logIn('stolen_laptop');
      await guessTimes(10, 'stolen_laptop', stolen);
      expectLocked(await logIn(stolen, 'stolen_laptop', PASSWORD));
      expect(outcome(await logIn(phone, 'stolen_laptop', PASSWORD))).toBe('200');
      expect(outcome(await logIn(service.client(), 'stolen_laptop', PASSWORD))).toBe('200');
    });

    it('is not one that logged in to another account, or says it did', async () => {
      await service.register('impostor_target');
      const device = (await service.signUp('impostor')).jar.get('iam_device') ?? '';
      await guessTimes(10, 'impostor_target');
      const [id = ''] = device.split('~');
      for (const cookie of [device, `${id}~${'A'.repeat(43)}`, 'garbage', '', `${device}~${device}`]) {
        const client = service.client();
        client.jar.set('iam_device', cookie);
        expectLocked(await logIn(client, 'impostor_target', PASSWORD));
      }
    });
  });

  describe('of an address', () => {
    const strictly = async (threshold: number, work: () => Promise<void>): Promise<void> => {
      await service.set(addressFailureThreshold, threshold);
      try {
        await work();
      } finally {
        await service.set(addressFailureThreshold, addressFailureThreshold.defaultValue);
      }
    };

    it('comes with its failures at any accounts and refuses all of them, from there alone', async () => {
      await service.register('addressed');
      await strictly(3, async () => {
        const client = service.client();
        for (const name of ['somebody_1', 'somebody_2', 'somebody_3']) await guessTimes(1, name, client);
        CountingHasher.verified = [];
        expectLocked(await logIn(client, 'addressed', PASSWORD), 'rate_limited');
        expect(CountingHasher.verified).toEqual([]);
        expect(outcome(await logIn(service.client(), 'addressed', PASSWORD))).toBe('200');
      });
    });

    it('counts no right passwords', async () => {
      await service.register('right_address');
      await strictly(3, async () => {
        const client = service.client();
        for (let count = 0; count < 6; count++) {
          expect(outcome(await logIn(client, 'right_address', PASSWORD))).toBe('200');
        }
      });
    });

    it('counts an IPv6 network of a client as one, and a mapped IPv4 address as itself', async () => {
      await strictly(3, async () => {
        const from = (address: string): TestClient => Object.assign(service.client(), { address });
        await guessTimes(1, 'six_1', from('2001:db8:1:2::1'));
        await guessTimes(1, 'six_2', from('2001:db8:1:2:ffff::2'));
        await guessTimes(1, 'six_3', from('2001:DB8:1:2::3'));
        expectLocked(await guess('six_4', from('2001:db8:1:2:a:b:c:d')), 'rate_limited');
        expect(outcome(await guess('six_4', from('2001:db8:1:3::1')))).toBe('401 invalid_credentials');

        await guessTimes(2, 'four_1', from('203.0.113.7'));
        await guessTimes(1, 'four_2', from('::ffff:203.0.113.7'));
        expectLocked(await guess('four_3', from('203.0.113.7')), 'rate_limited');
      });
    });

    it('cannot be changed by a header of a peer nobody trusts', async () => {
      await strictly(2, async () => {
        const spoofed = (index: number): Promise<Answer<Problem>> =>
          service
            .client()
            .post<Problem>(
              '/api/auth/login',
              { type: 'password', username: `spoof_${index}`, password: WRONG },
              { remoteAddress: '198.51.100.9', headers: { 'x-forwarded-for': `192.0.2.${index}` } },
            );
        for (const index of [1, 2]) expect((await spoofed(index)).status).toBe(401);
        expectLocked(await spoofed(3), 'rate_limited');
      });
    });
  });

  describe('what is no guess', () => {
    it('is an overload of the hashing queue', async () => {
      await service.register('overloaded');
      CountingHasher.isOverloaded = true;
      for (let count = 0; count < 15; count++) {
        const refused = await guess('overloaded');
        expect(outcome(refused)).toBe('503 unavailable');
        expect(refused.headers['retry-after']).toBe('3');
      }
      CountingHasher.isOverloaded = false;
      expect(outcome(await logIn(service.client(), 'overloaded', PASSWORD))).toBe('200');
    });

    it('is a body that breaks a rule', async () => {
      await service.register('malformed');
      for (let count = 0; count < 15; count++) {
        const answer = await service.client().post<Problem>('/api/auth/login', {
          type: 'password',
          username: 'malformed',
          password: 1,
        });
        expect(answer.status).toBe(400);
      }
      expect(outcome(await logIn(service.client(), 'malformed', PASSWORD))).toBe('200');
    });
  });
});
