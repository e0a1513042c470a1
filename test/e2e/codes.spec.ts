import { SettingsReader } from '../../src/platform/settings';
import { allowedPrefixes } from '../../src/messaging';
import {
  maxDailyCodes,
  codeResend,
  codeTtl,
  codesPerHourPerAddress,
  codesPerHourPerChannel,
  codesPerHourPerPrefix,
} from '../../src/verification';
import { proveContacts } from '../support/accounts';
import { postOffice } from '../support/post-office';
import { Answer, Problem, TestClient } from '../support/test-client';
import { eventually, TestService } from '../support/test-service';

const CODES = '/api/auth/codes';

interface Sent {
  readonly expires_in: number;
  readonly resend_after: number;
}

type Wish = Readonly<Record<string, unknown>>;

let service: TestService;
let other: TestService;
let made = 0;

const freshEmail = (): string => `somebody${++made}@example.com`;
const freshPhone = (): string => `+861380013${String(1_000 + ++made)}`;

beforeAll(async () => {
  service = await TestService.start({ identity: { extensions: postOffice.extensions } });
  other = await service.another();
  await service.set(codeResend, 0);
});

afterAll(() => service.stop());

afterEach(async () => {
  postOffice.offered = new Set(['email', 'sms']);
  postOffice.answerWith('accepted');
  await service.set(maxDailyCodes, 10);
  await service.set(codeResend, 0);
});

const send = (wish: Wish, client: TestClient = service.client()): Promise<Answer<Sent & Problem>> =>
  client.post(CODES, { purpose: 'register', channel: 'email', ...wish });

const codeOf = ({ status, body: { code } }: Answer<Problem>): [number, string] => [status, code];

/** Codes to owners are sent after the answer. */
const arrived = (target: string, messages = 1): Promise<number> =>
  eventually(
    async () => postOffice.to(target).length,
    (count) => count >= messages,
  );

describe('a code is asked for', () => {
  it.each([
    [30, 1],
    [119, 1],
    [120, 2],
    [600, 10],
  ])('and one that is valid for %i s says %i min, never more than it is', async (seconds, minutes) => {
    await service.set(codeTtl, seconds);
    const target = freshEmail();
    expect((await send({ target })).status).toBe(202);
    await arrived(target);
    expect(postOffice.to(target)[0]?.text).toContain(`valid for ${minutes} min`);
    await service.set(codeTtl, 600);
  });

  it('with one purpose, one channel and one recipient, or nothing is sent', async () => {
    const before = postOffice.count();
    const wrong: Wish[] = [
      ...[['login'], { $ne: 1 }, 1, 'LOGIN', 'login ', '', null, undefined].map((purpose) => ({ purpose })),
      ...['fax', 'EMAIL', ['email'], null].map((channel) => ({ channel, target: freshEmail() })),
      ...[
        ['v@example.com', 'a@example.com'],
        'v@example.com,a@example.com',
        'v@example.com;a@example.com',
        'v@example.com a@example.com',
        'v@example.com\nBcc:a@example.com',
        'v@example.com%0aBcc:a@example.com@example.com',
        '<v@example.com>',
        '"v@x"@example.com',
        '',
        null,
        { to: 'v@example.com' },
        '+8613800138000',
      ].map((target) => ({ target })),
      ...['v@example.com', '+8613800138000,+8613800138001', 'tel:+8613800138000', '+86138', '+8613800138000;ext=1'].map(
        (target) => ({ channel: 'sms', target }),
      ),
      { target: freshEmail(), email: freshEmail() },
    ];
    for (const wish of wrong) {
      const answer = await send({ target: freshEmail(), ...wish });
      expect([wish, ...codeOf(answer)]).toEqual([wish, 400, 'validation_failed']);
    }
    expect(postOffice.count()).toBe(before);
  });

  it.each(['register', 'login', 'reset_password'])(
    'for %s, and is told when it ends and when the next may come',
    async (purpose) => {
      await service.set(codeResend, 60);
      const answer = await send({ purpose, target: freshEmail() });
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({ expires_in: 600, resend_after: 60 });
      expect(answer.setCookies).toEqual([]);
    },
  );

  it('for a phone in national form, which is read in the default region', async () => {
    const phone = freshPhone();
    expect((await send({ channel: 'sms', target: phone.slice(3) })).status).toBe(202);
    expect(postOffice.to(phone)).toHaveLength(1);
  });

  it('for bind by somebody who is logged in, before anything else is looked at', async () => {
    expect(codeOf(await send({ purpose: 'bind', target: 'nonsense' }))).toEqual([401, 'unauthenticated']);
    const ann = await service.signUp('ann_binds');
    expect(codeOf(await send({ purpose: 'bind', target: 'nonsense' }, ann))).toEqual([400, 'validation_failed']);
    expect((await send({ purpose: 'bind', target: freshEmail() }, ann)).status).toBe(202);
    await service.query(`UPDATE user_account SET must_change_password = true WHERE username = 'ann_binds'`);
    const bob = await service.logIn('ann_binds');
    expect(codeOf(await send({ purpose: 'bind', target: freshEmail() }, bob))).toEqual([
      403,
      'password_change_required',
    ]);
  });
});

describe('whose contact it is', () => {
  it.each(['login', 'reset_password'])(
    'is not told by a request for %s, which writes to its owner alone',
    async (purpose) => {
      const [known, unknown, claimed] = [freshEmail(), freshEmail(), freshEmail()];
      const username = `owner_${purpose}`;
      await service.register(username, { email: known });
      await proveContacts(service, username);
      await service.register(`${username}2`, { email: claimed });
      await service.set(codeResend, 60);
      const answers = [];
      for (const target of [unknown, claimed, known]) {
        answers.push(await send({ purpose, target: target.toUpperCase() }));
      }
      expect(answers.map(({ status, text }) => [status, text])).toEqual(
        Array.from({ length: 3 }, () => [202, '{"expires_in":600,"resend_after":60}']),
      );
      const again = [];
      for (const target of [unknown, claimed, known]) again.push(await send({ purpose, target }));
      expect(again.map(codeOf)).toEqual(Array.from({ length: 3 }, () => [429, 'code_resend_too_soon']));
      // To the address as its owner wrote it, not as the stranger did.
      await arrived(known);
      expect(postOffice.to(known)).toHaveLength(1);
      expect([...postOffice.to(unknown), ...postOffice.to(claimed)]).toEqual([]);
    },
  );

  it('does not bring a disabled user a code to reset the password with', async () => {
    const [email, active] = [freshEmail(), freshEmail()];
    await service.register('gone_fishing', { email });
    await service.register('at_home', { email: active });
    await proveContacts(service, 'gone_fishing');
    await proveContacts(service, 'at_home');
    await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = 'gone_fishing'`);
    expect((await send({ purpose: 'reset_password', target: email })).status).toBe(202);
    await send({ purpose: 'reset_password', target: active });
    await arrived(active);
    expect(postOffice.to(email)).toEqual([]);
  });
});

describe('a day’s limit', () => {
  it('of 0 turns codes off, before any field is looked at', async () => {
    await service.set(maxDailyCodes, 0);
    const before = postOffice.count();
    for (const wish of [{ target: freshEmail() }, { target: 5 }, { purpose: 'fax' }]) {
      expect(codeOf(await send(wish))).toEqual([403, 'verification_disabled']);
    }
    const info = await service.client().get<{ verification: unknown }>('/api/info');
    expect(info.body.verification).toEqual({ enabled: false, channels: [] });
    expect(postOffice.count()).toBe(before);
  });

  it('of n lets n through and no more, until the next day of UTC', async () => {
    const target = freshEmail();
    await service.set(maxDailyCodes, 2);
    for (const status of [202, 202]) expect((await send({ target })).status).toBe(status);
    expect(codeOf(await send({ target }))).toEqual([429, 'code_daily_limit_reached']);
    // The day is judged before the pause.
    await service.set(codeResend, 600);
    const refused = await send({ target, purpose: 'login' });
    expect(codeOf(refused)).toEqual([429, 'code_daily_limit_reached']);
    const midnight = new Date().setUTCHours(24, 0, 0, 0) - Date.now();
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(midnight / 1_000 + 2);
    await service.set(codeResend, 0);
    await service.query(
      `UPDATE verification_target SET sent_on = sent_on - 1, last_sent_at = last_sent_at - interval '1 day' WHERE target = $1`,
      [target],
    );
    expect((await send({ target })).status).toBe(202);
    expect(postOffice.to(target)).toHaveLength(3);
  });

  it('of -1 is none, but the pause between two stays', async () => {
    const target = freshEmail();
    await service.set(maxDailyCodes, -1);
    for (let sends = 0; sends < 12; sends++) expect((await send({ target })).status).toBe(202);
    await service.set(codeResend, 60);
    const refused = await send({ target });
    expect(codeOf(refused)).toEqual([429, 'code_resend_too_soon']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
  });

  it.each(['register', 'login'])(
    'of 3 lets 3 of 20 through that come at once to two instances, for %s',
    async (purpose) => {
      const target = freshEmail();
      await service.register(`crowd_${purpose}`, { email: target });
      await proveContacts(service, `crowd_${purpose}`);
      await service.set(maxDailyCodes, 3);
      const settings = other.app.get(SettingsReader);
      await eventually(
        async () => settings.get(maxDailyCodes),
        (most) => most === 3,
      );
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => send({ purpose, target }, (turn % 2 ? other : service).client())),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(3).fill(202),
        ...Array<number>(17).fill(429),
      ]);
      await arrived(target, 3);
      expect(postOffice.to(target)).toHaveLength(3);
    },
  );
});

describe('floods', () => {
  it('end at the budget of one client address, whatever they are aimed at', async () => {
    const client = service.client();
    await service.set(codesPerHourPerAddress, 4);
    const before = postOffice.count();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ target: freshEmail() }, client)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([refused.length, ...codeOf(refused[0]!)]).toEqual([6, 429, 'rate_limited']);
    expect(postOffice.count()).toBe(before + 4);
    await service.set(codesPerHourPerAddress, 20);
    expect((await send({ target: freshEmail() })).status).toBe(202);
  });

  it('of texts to numbers in a row end, and are told in the log', async () => {
    await service.set(codesPerHourPerPrefix, 2);
    const row = (last: number): Wish => ({ channel: 'sms', target: `+8613911220${String(last).padStart(3, '0')}` });
    const answers = await Promise.all([1, 2, 3, 4].map((last) => send(row(last))));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429]);
    expect((await send({ channel: 'sms', target: '+8613922330001' })).status).toBe(202);
    expect(service.logLines.some((line) => line.includes('Codes are held back'))).toBe(true);
    await service.set(codesPerHourPerPrefix, 50);
  });

  it('end at the budget of all together, whoever asks and whatever for', async () => {
    await send({ target: freshEmail() });
    await service.set(codesPerHourPerChannel, 1);
    const before = postOffice.count();
    const told = service.logLines.length;
    for (const purpose of ['register', 'login']) {
      expect(codeOf(await send({ purpose, target: freshEmail() }))).toEqual([429, 'rate_limited']);
    }
    expect(postOffice.count()).toBe(before);
    expect(service.logLines.slice(told).some((line) => line.includes('Codes are held back'))).toBe(true);
    await service.set(codesPerHourPerChannel, codesPerHourPerChannel.defaultValue);
    expect((await send({ target: freshEmail() })).status).toBe(202);
  });

  it('are counted alike for numbers that belong to nobody: what is left for others tells of no account', async () => {
    await service.set(codesPerHourPerPrefix, 2);
    const statuses = [];
    for (const last of [1, 2, 3]) {
      statuses.push((await send({ purpose: 'login', channel: 'sms', target: `+861393344000${last}` })).status);
    }
    expect(statuses).toEqual([202, 202, 429]);
    await service.set(codesPerHourPerPrefix, 50);
  });

  it('to countries nobody serves do not begin', async () => {
    await service.set(allowedPrefixes, ['+86']);
    const answer = await send({ channel: 'sms', target: '+14155552671' });
    expect(answer.body.errors).toEqual([expect.objectContaining({ field: 'target', code: 'phone_not_served' })]);
    expect((await send({ channel: 'sms', target: freshPhone() })).status).toBe(202);
    await service.set(allowedPrefixes, []);
  });
});

describe('a channel', () => {
  it('that is not set up is not offered', async () => {
    postOffice.offered = new Set(['email']);
    expect(codeOf(await send({ channel: 'sms', target: freshPhone() }))).toEqual([403, 'verification_disabled']);
    const info = await service.client().get<{ verification: unknown }>('/api/info');
    expect(info.body.verification).toEqual({ enabled: true, channels: ['email'] });
  });

  it.each(['rejected', 'throttled'] as const)(
    'that answers %s leaves no usable code, and register is told so',
    async (outcome) => {
      const target = freshEmail();
      postOffice.answerWith(outcome);
      expect(codeOf(await send({ target }))).toEqual([502, 'delivery_failed']);
      expect(await service.query('SELECT 1 FROM verification_code WHERE target = $1', [target])).toEqual([]);
    },
  );

  it('that may have sent leaves the code good', async () => {
    const target = freshEmail();
    postOffice.answerWith('unknown');
    expect((await send({ target })).status).toBe(202);
    expect(await service.query('SELECT 1 FROM verification_code WHERE target = $1', [target])).toHaveLength(1);
  });

  it('that fails a login is nobody’s to know of', async () => {
    const target = freshEmail();
    await service.register('unlucky', { email: target });
    await proveContacts(service, 'unlucky');
    postOffice.answerWith('rejected');
    expect((await send({ purpose: 'login', target })).status).toBe(202);
    await arrived(target);
  });
});
