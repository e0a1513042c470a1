import { Argon2PasswordHasher, weakHash } from '../../src/platform/crypto';
import { platformErrors } from '../../src/platform/errors';
import { rateLimitsEnabled } from '../../src/platform/http';
import { addressFailureThreshold, lockoutSeconds, lockoutThreshold } from '../../src/auth/login/lockout.settings';
import { expectProblem } from '../support/service/expect-problem';
import { outcome } from '../support/accounts/second-factors';
import type { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, PASSWORD, TestService } from '../support/service/test-service';

const WRONG = 'not the password at all';

/** Counts verifications and can throw the overload error of the real hasher. */
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

describe('lockout', () => {
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

  const attempt = (username: string, client = service.client()): Promise<Answer<Problem>> =>
    logIn(client, username, WRONG);

  const attemptTimes = async (times: number, username: string, client?: TestClient): Promise<void> => {
    for (let count = 0; count < times; count++) {
      expectProblem(await attempt(username, client), 401, 'invalid_credentials');
    }
  };

  const expectLocked = (answer: Answer<Problem>, code = 'account_locked'): void => {
    expect(outcome(answer)).toBe(`429 ${code}`);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(900);
    expect(answer.setCookies).toEqual([]);
  };

  describe('of an account', () => {
    it('locks on the tenth failure, also for the right password, and leaves other accounts alone', async () => {
      await service.register('ann');
      await service.register('neighbour');
      const client = service.client();
      await attemptTimes(10, 'ann', client);
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

    it('lets no more than ten of 100 parallel attempts reach the verifier', async () => {
      await service.register('parallel');
      const answers = await Promise.all(Array.from({ length: 100 }, () => attempt('parallel')));
      const outcomes = answers.map(outcome);
      expect(outcomes.filter((one) => one === '401 invalid_credentials')).toHaveLength(10);
      expect(outcomes.filter((one) => one === '429 account_locked')).toHaveLength(90);
      expect(CountingHasher.verified).toHaveLength(10);
      expectLocked(await logIn(service.client(), 'parallel', PASSWORD));
    });

    it('does not lock an account for many concurrent successful logins', async () => {
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
      // A login waits only so long for a place among those of its address, so a slow machine rejects some as busy.
      expect(new Set(answers.map(outcome).filter((one) => one !== '503 unavailable'))).toEqual(new Set(['200']));
      expect(outcome(await logIn(client, 'busy', PASSWORD))).toBe('200');
    });

    it('resets after a right password', async () => {
      await service.register('cleared');
      for (let round = 0; round < 3; round++) {
        await attemptTimes(9, 'cleared');
        expect(outcome(await logIn(service.client(), 'cleared', PASSWORD))).toBe('200');
      }
    });

    it('counts failures of every identifier of the account together', async () => {
      await service.register('many_names', { email: 'Many@Example.com', phone: '+8613800138000' });
      await service.query(
        `UPDATE user_account SET email_verified = true, phone_verified = true WHERE username = 'many_names'`,
      );
      await attemptTimes(3, 'many_names');
      await attemptTimes(3, 'MANY@example.com');
      await attemptTimes(4, '+86 138 0013 8000');
      for (const name of ['Many_Names', 'many@example.com', '+8613800138000']) {
        expectLocked(await logIn(service.client(), name, PASSWORD));
      }
    });

    it('ends after its duration', async () => {
      await service.set(lockoutSeconds, 1);
      try {
        await service.register('ending');
        await attemptTimes(10, 'ending');
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

    it('follows its threshold immediately, and applies while rate limits are disabled', async () => {
      await service.set(lockoutThreshold, 2);
      await service.set(rateLimitsEnabled, false);
      try {
        await service.register('strict');
        await attemptTimes(2, 'strict');
        expectLocked(await attempt('strict'));
      } finally {
        await service.set(lockoutThreshold, lockoutThreshold.defaultValue);
        await service.set(rateLimitsEnabled, true);
      }
    });

    it('leaves the sessions of the account alone', async () => {
      const client = await service.signUp('sessions_stay');
      await attemptTimes(10, 'sessions_stay');
      expectLocked(await attempt('sessions_stay'));
      expect((await client.get('/api/auth/me')).status).toBe(200);
      expect((await client.post('/api/auth/refresh')).status).toBe(200);
    });

    it('applies to a disabled account, which is reported only after a right password', async () => {
      await service.register('disabled');
      await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = 'disabled'`);
      for (let count = 0; count < 12; count++) {
        expectProblem(await logIn(service.client(), 'disabled', PASSWORD), 403, 'user_disabled');
      }
      await attemptTimes(10, 'disabled');
      expectLocked(await logIn(service.client(), 'disabled', PASSWORD));
    });
  });

  describe('of an unknown identifier', () => {
    it('locks like an existing account, regardless of case', async () => {
      await attemptTimes(5, 'nobody_here');
      await attemptTimes(5, 'NOBODY_here');
      expectLocked(await attempt('nobody_here'));
    });

    it.each([9, 10])(
      'returns the same status, headers and body as for a known account after %i failures',
      async (failures) => {
        const known = `known_${failures}`;
        await service.register(known);
        const shape = async (username: string): Promise<unknown> => {
          await attemptTimes(failures, username);
          const { status, headers, body, setCookies } = await attempt(username);
          const { date, 'x-request-id': requestId, 'retry-after': wait, ...others } = headers;
          expect(date).toBeDefined();
          expect(requestId).toBe(body.request_id);
          // The two responses may differ by one second.
          const waits = wait === undefined ? undefined : Math.abs(Number(wait) - 900) <= 2;
          return { status, headers: others, waits, body: { ...body, request_id: '', params: undefined }, setCookies };
        };
        expect(await shape(known)).toEqual(await shape(`ghost_${failures}`));
      },
    );

    it('verifies a hash as for a wrong password', async () => {
      await attempt('nobody_at_all');
      expect(CountingHasher.verified).toEqual([WRONG]);
    });

    it('costs as much as an imported digest, which is fast to verify', async () => {
      const client = await service.register('imported');
      const hash = weakHash('sha256', ['salt'], '0'.repeat(64));
      await service.query(`UPDATE user_account SET password_hash = $1 WHERE username = 'imported'`, [hash]);
      expectProblem(await attempt('imported', client), 401, 'invalid_credentials');
      expect(CountingHasher.verified).toEqual([WRONG]);
    });
  });

  describe('of a known device', () => {
    it('counts separately, so that attempts from other browsers do not lock the owner out', async () => {
      const owner = await service.signUp('owner');
      await owner.post('/api/auth/logout');
      await attemptTimes(10, 'owner');
      expectLocked(await logIn(service.client(), 'owner', PASSWORD));
      expect(outcome(await logIn(owner, 'owner', PASSWORD))).toBe('200');
      // The success of the owner's device does not unlock other browsers.
      expectLocked(await logIn(service.client(), 'owner', PASSWORD));
    });

    it('has a separate threshold of the same size', async () => {
      const stolen = await service.signUp('stolen_laptop');
      const phone = await service.logIn('stolen_laptop');
      await attemptTimes(10, 'stolen_laptop', stolen);
      expectLocked(await logIn(stolen, 'stolen_laptop', PASSWORD));
      expect(outcome(await logIn(phone, 'stolen_laptop', PASSWORD))).toBe('200');
      expect(outcome(await logIn(service.client(), 'stolen_laptop', PASSWORD))).toBe('200');
    });

    it('ignores a device cookie of another account and a forged one', async () => {
      await service.register('impostor_target');
      const device = (await service.signUp('impostor')).jar.get('iam_device') ?? '';
      await attemptTimes(10, 'impostor_target');
      const [id = ''] = device.split('~');
      for (const cookie of [device, `${id}~${'A'.repeat(43)}`, 'garbage', '', `${device}~${device}`]) {
        const client = service.client();
        client.jar.set('iam_device', cookie);
        expectLocked(await logIn(client, 'impostor_target', PASSWORD));
      }
    });
  });

  describe('of a client address', () => {
    const strictly = async (threshold: number, work: () => Promise<void>): Promise<void> => {
      await service.set(addressFailureThreshold, threshold);
      try {
        await work();
      } finally {
        await service.set(addressFailureThreshold, addressFailureThreshold.defaultValue);
      }
    };

    it('counts failures at all accounts and rejects all logins from that address only', async () => {
      await service.register('addressed');
      await strictly(3, async () => {
        const client = service.client();
        for (const name of ['somebody_1', 'somebody_2', 'somebody_3']) await attemptTimes(1, name, client);
        CountingHasher.verified = [];
        expectLocked(await logIn(client, 'addressed', PASSWORD), 'rate_limited');
        expect(CountingHasher.verified).toEqual([]);
        expect(outcome(await logIn(service.client(), 'addressed', PASSWORD))).toBe('200');
      });
    });

    it('ignores right passwords', async () => {
      await service.register('right_address');
      await strictly(3, async () => {
        const client = service.client();
        for (let count = 0; count < 6; count++) {
          expect(outcome(await logIn(client, 'right_address', PASSWORD))).toBe('200');
        }
      });
    });

    it('counts an IPv6 network as one address, and a mapped IPv4 address as IPv4', async () => {
      await strictly(3, async () => {
        const from = (address: string): TestClient => Object.assign(service.client(), { address });
        await attemptTimes(1, 'six_1', from('2001:db8:1:2::1'));
        await attemptTimes(1, 'six_2', from('2001:db8:1:2:ffff::2'));
        await attemptTimes(1, 'six_3', from('2001:DB8:1:2::3'));
        expectLocked(await attempt('six_4', from('2001:db8:1:2:a:b:c:d')), 'rate_limited');
        expectProblem(await attempt('six_4', from('2001:db8:1:3::1')), 401, 'invalid_credentials');

        await attemptTimes(2, 'four_1', from('203.0.113.7'));
        await attemptTimes(1, 'four_2', from('::ffff:203.0.113.7'));
        expectLocked(await attempt('four_3', from('203.0.113.7')), 'rate_limited');
      });
    });

    it('ignores forwarding headers of an untrusted peer', async () => {
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

  describe('requests that are no attempt', () => {
    it('include an overload of the hashing queue', async () => {
      await service.register('overloaded');
      CountingHasher.isOverloaded = true;
      for (let count = 0; count < 15; count++) {
        const rejected = await attempt('overloaded');
        expectProblem(rejected, 503, 'unavailable');
        expect(rejected.headers['retry-after']).toBe('3');
      }
      CountingHasher.isOverloaded = false;
      expect(outcome(await logIn(service.client(), 'overloaded', PASSWORD))).toBe('200');
    });

    it('include an invalid body', async () => {
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
