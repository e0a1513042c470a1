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
import { proveContacts } from '../support/accounts/accounts';
import { known } from '../support/accounts/codes';
import { testMessages, WITH_POST_OFFICE } from '../support/receivers/test-messages';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { eventually, TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

const CODES = '/api/auth/codes';

interface Sent {
  readonly expires_in: number;
  readonly resend_after: number;
}

type Body = Readonly<Record<string, unknown>>;

let service: TestService;
let other: TestService;
let made = 0;

const freshEmail = (): string => `somebody${++made}@example.com`;
const freshPhone = (): string => `+861380013${String(1_000 + ++made)}`;

withService(async (started) => {
  service = started;
  other = await service.another();
  await service.set(codeResend, 0);
}, WITH_POST_OFFICE);

afterEach(async () => {
  testMessages.offered = new Set(['email', 'sms']);
  testMessages.answerWith('accepted');
  await service.set(maxDailyCodes, 10);
  await service.set(codeResend, 0);
});

const send = (wanted: Body, client: TestClient = service.client()): Promise<Answer<Sent & Problem>> =>
  client.post(CODES, { purpose: 'register', channel: 'email', ...wanted });

const codeOf = ({ status, body: { code } }: Answer<Problem>): [number, string] => [status, code];

/** Codes to known contacts are sent after the response. */
const arrived = (target: string, messages = 1): Promise<number> =>
  eventually(
    async () => testMessages.to(target).length,
    (count) => count >= messages,
  );

describe('POST /api/auth/codes', () => {
  it.each([
    [30, 1],
    [119, 1],
    [120, 2],
    [600, 10],
  ])('states for a code valid for %i s a validity of %i min, rounded down', async (seconds, minutes) => {
    await service.set(codeTtl, seconds);
    const target = freshEmail();
    expect((await send({ target })).status).toBe(202);
    await arrived(target);
    expect(testMessages.to(target)[0]?.text).toContain(`valid for ${minutes} min`);
    await service.set(codeTtl, 600);
  });

  it('requires exactly one purpose, one channel and one recipient', async () => {
    const before = testMessages.count();
    const wrong: Body[] = [
      ...[['login'], { $ne: 1 }, 1, 'LOGIN', 'login ', '', null, undefined].map((purpose) => ({ purpose })),
      ...['fax', 'EMAIL', ['email'], null].map((channel) => ({ channel, target: freshEmail() })),
      ...[
        ['v@example.com', 'a@example.com'],
        'v@example.com,a@example.com',
        'v@example.com;a@example.com',
        'v@example.com，a@example.com',
        'v@example.com a@example.com',
        ...['v,a@b.example', 'v\r\nBcc:a@b.example', 'v@b.example\r\nBcc:a', 'v@b.example@c.example'],
        'v@example.com\nBcc:a@example.com',
        'v@example.com%0aBcc:a@example.com@example.com',
        '<v@example.com>',
        '"v@x"@example.com',
        '',
        null,
        { to: 'v@example.com' },
        '+8613800138000',
      ].map((target) => ({ target })),
      ...[
        'v@example.com',
        '+8613800138000,+8613800138001',
        'tel:+8613800138000;ext=1',
        '+86138',
        '+8613800138000;ext=1',
      ].map((target) => ({ channel: 'sms', target })),
      { target: freshEmail(), email: freshEmail() },
    ];
    for (const wanted of wrong) {
      const answer = await send({ target: freshEmail(), ...wanted });
      expect([wanted, ...codeOf(answer)]).toEqual([wanted, 400, 'validation_failed']);
    }
    expect(testMessages.count()).toBe(before);
  });

  it.each(['register', 'login', 'reset_password'])(
    'returns for %s when the code expires and when the next can be sent',
    async (purpose) => {
      await service.set(codeResend, 60);
      const answer = await send({ purpose, target: freshEmail() });
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({ expires_in: 600, resend_after: 60 });
      expect(answer.setCookies).toEqual([expect.stringContaining('iam_code=')]);
    },
  );

  it('reads a national phone number in the default region', async () => {
    const phone = freshPhone();
    expect((await send({ channel: 'sms', target: phone.slice(3) })).status).toBe(202);
    expect(testMessages.to(phone)).toHaveLength(1);
  });

  it('requires a login for bind before it validates the fields', async () => {
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

describe('contact ownership', () => {
  it.each(['login', 'reset_password'])(
    'is not revealed by a request for %s, which writes only to the verified owner',
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
      // The message goes to the spelling that the owner entered, not to the spelling of the request.
      await arrived(known);
      expect(testMessages.to(known)).toHaveLength(1);
      expect([...testMessages.to(unknown), ...testMessages.to(claimed)]).toEqual([]);
    },
  );

  it('sends no reset code to a disabled user', async () => {
    const [{ username, email }, { email: active }] = [await known(service), await known(service)];
    await service.query(`UPDATE user_account SET status = 'disabled' WHERE username = $1`, [username]);
    expect((await send({ purpose: 'reset_password', target: email })).status).toBe(202);
    await send({ purpose: 'reset_password', target: active });
    await arrived(active);
    expect(testMessages.to(email)).toEqual([]);
  });
});

describe('daily limit', () => {
  it('disables codes at 0, before any field is validated', async () => {
    await service.set(maxDailyCodes, 0);
    const before = testMessages.count();
    for (const wanted of [{ target: freshEmail() }, { target: 5 }, { purpose: 'fax' }]) {
      expect(codeOf(await send(wanted))).toEqual([403, 'verification_disabled']);
    }
    const info = await service.client().get<{ verification: unknown }>('/api/info');
    expect(info.body.verification).toMatchObject({ enabled: false, channels: [] });
    expect(testMessages.count()).toBe(before);
  });

  it('allows n messages at n, until the next day in UTC', async () => {
    const target = freshEmail();
    await service.set(maxDailyCodes, 2);
    for (const status of [202, 202]) expect((await send({ target })).status).toBe(status);
    expect(codeOf(await send({ target }))).toEqual([429, 'code_daily_limit_reached']);
    // The daily limit is checked before the resend pause.
    await service.set(codeResend, 600);
    const rejected = await send({ target, purpose: 'login' });
    expect(codeOf(rejected)).toEqual([429, 'code_daily_limit_reached']);
    const midnight = new Date().setUTCHours(24, 0, 0, 0) - Date.now();
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(midnight / 1_000 + 2);
    await service.set(codeResend, 0);
    await service.query(
      `UPDATE verification_target SET sent_on = sent_on - 1, last_sent_at = last_sent_at - interval '1 day' WHERE target = $1`,
      [target],
    );
    expect((await send({ target })).status).toBe(202);
    expect(testMessages.to(target)).toHaveLength(3);
  });

  it('allows any number at -1, but keeps the resend pause', async () => {
    const target = freshEmail();
    await service.set(maxDailyCodes, -1);
    for (let sends = 0; sends < 12; sends++) expect((await send({ target })).status).toBe(202);
    await service.set(codeResend, 60);
    const rejected = await send({ target });
    expect(codeOf(rejected)).toEqual([429, 'code_resend_too_soon']);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(50);
  });

  it.each(['register', 'login'])(
    'allows 3 of 20 concurrent requests to two instances at 3, for %s',
    async (purpose) => {
      const target = freshEmail();
      await service.register(`crowd_${purpose}`, { email: target });
      await proveContacts(service, `crowd_${purpose}`);
      await service.set(maxDailyCodes, 3);
      const settings = other.app.get(SettingsReader);
      await eventually(
        async () => settings.get(maxDailyCodes),
        (max) => max === 3,
      );
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, turn) => send({ purpose, target }, (turn % 2 ? other : service).client())),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array<number>(3).fill(202),
        ...Array<number>(17).fill(429),
      ]);
      await arrived(target, 3);
      expect(testMessages.to(target)).toHaveLength(3);
    },
  );
});

describe('flood limits', () => {
  it('limit the requests of one client address, whatever the recipient', async () => {
    const client = service.client();
    await service.set(codesPerHourPerAddress, 4);
    const before = testMessages.count();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send({ target: freshEmail() }, client)));
    const rejected = answers.filter(({ status }) => status === 429);
    expect([rejected.length, ...codeOf(rejected[0]!)]).toEqual([6, 429, 'rate_limited']);
    expect(testMessages.count()).toBe(before + 4);
    await service.set(codesPerHourPerAddress, 20);
    expect((await send({ target: freshEmail() })).status).toBe(202);
  });

  it('limit messages to a range of phone numbers and log it', async () => {
    await service.set(codesPerHourPerPrefix, 2);
    const row = (last: number): Body => ({ channel: 'sms', target: `+8613911220${String(last).padStart(3, '0')}` });
    const answers = await Promise.all([1, 2, 3, 4].map((last) => send(row(last))));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429]);
    expect((await send({ channel: 'sms', target: '+8613922330001' })).status).toBe(202);
    expect(service.logLines.some((line) => line.includes('Codes are not sent'))).toBe(true);
    await service.set(codesPerHourPerPrefix, 50);
  });

  it('limit all requests of a channel together', async () => {
    await send({ target: freshEmail() });
    await service.set(codesPerHourPerChannel, 1);
    const before = testMessages.count();
    const logged = service.logLines.length;
    for (const purpose of ['register', 'login']) {
      expect(codeOf(await send({ purpose, target: freshEmail() }))).toEqual([429, 'rate_limited']);
    }
    expect(testMessages.count()).toBe(before);
    expect(service.logLines.slice(logged).some((line) => line.includes('Codes are not sent'))).toBe(true);
    await service.set(codesPerHourPerChannel, codesPerHourPerChannel.defaultValue);
    expect((await send({ target: freshEmail() })).status).toBe(202);
  });

  it('count unknown phone numbers like known ones, so that the rest of the budget reveals no account', async () => {
    await service.set(codesPerHourPerPrefix, 2);
    const statuses = [];
    for (const last of [1, 2, 3]) {
      statuses.push((await send({ purpose: 'login', channel: 'sms', target: `+861393344000${last}` })).status);
    }
    expect(statuses).toEqual([202, 202, 429]);
    await service.set(codesPerHourPerPrefix, 50);
  });

  it('reject countries outside the allowed prefixes', async () => {
    await service.set(allowedPrefixes, ['+86']);
    const answer = await send({ channel: 'sms', target: '+14155552671' });
    expect(answer.body.errors).toEqual([expect.objectContaining({ field: 'target', code: 'phone_not_served' })]);
    expect((await send({ channel: 'sms', target: freshPhone() })).status).toBe(202);
    await service.set(allowedPrefixes, []);
  });
});

describe('channel', () => {
  it('is not offered while it is not set up', async () => {
    testMessages.offered = new Set(['email']);
    expect(codeOf(await send({ channel: 'sms', target: freshPhone() }))).toEqual([403, 'verification_disabled']);
    const { body } = await service.client().get<{ verification: unknown }>('/api/info');
    expect(body.verification).toEqual({ enabled: true, channels: ['email'], inbox: [] });
  });

  it.each(['rejected', 'throttled'] as const)('leaves no code on %s; register gets the error', async (outcome) => {
    const target = freshEmail();
    testMessages.answerWith(outcome);
    expect(codeOf(await send({ target }))).toEqual([502, 'delivery_failed']);
    expect(await service.query('SELECT 1 FROM verification_code WHERE target = $1', [target])).toEqual([]);
  });

  it('leaves the code usable when the message may have been sent', async () => {
    const target = freshEmail();
    testMessages.answerWith('unknown');
    expect((await send({ target })).status).toBe(202);
    expect(await service.query('SELECT 1 FROM verification_code WHERE target = $1', [target])).toHaveLength(1);
  });

  it('does not reveal a failed login message', async () => {
    const { email: target } = await known(service);
    testMessages.answerWith('rejected');
    expect((await send({ purpose: 'login', target })).status).toBe(202);
    await arrived(target);
  });
});
