import { registrationEnabled } from '../../src/auth';
import {
  CodeProofsService,
  PendingCodesService,
  codeResend,
  codesPerHourPerAddress,
  codeTtl,
  maxDailyCodes,
} from '../../src/verification';
import { expectProblem } from '../support/service/expect-problem';
import { testMessages, WITH_POST_OFFICE } from '../support/receivers/test-messages';
import { Answer, Problem, TestClient } from '../support/service/test-client';
import { TestService } from '../support/service/test-service';
import { withService } from '../support/service/with-service';

let service: TestService;
let other: TestService;
let made = 0;

const freshEmail = (): string => `proof${++made}@example.com`;
const freshPhone = (): string => `+861380013${String(1_000 + ++made)}`;

withService(async (started) => {
  service = started;
  await service.set(codeResend, 0);
  other = await service.another();
}, WITH_POST_OFFICE);

type CodeRequest = Readonly<Record<string, unknown>>;

async function send(
  wanted: CodeRequest,
  client: TestClient = service.client(),
): Promise<Answer<{ expires_in: number }>> {
  const answer = await client.post<{ expires_in: number }>('/api/auth/codes', {
    purpose: 'register',
    channel: 'email',
    ...wanted,
  });
  expect(answer.status).toBe(202);
  return answer;
}

const check = (target: string, code = testMessages.code(target), at = service) =>
  at.app.get(CodeProofsService, { strict: false }).check({ purpose: 'register', channel: 'email', key: target, code });

describe('verification codes', () => {
  it('consist of digits of the configured length, leading zeros included', async () => {
    const codes = new Set<string>();
    const target = freshEmail();
    await service.set(maxDailyCodes, -1);
    await service.set(codesPerHourPerAddress, 1_000);
    for (let sends = 0; sends < 30; sends++) {
      await send({ target });
      codes.add(testMessages.code(target));
    }
    expect([...codes].every((code) => /^\d{6}$/.test(code))).toBe(true);
    expect(codes.size).toBeGreaterThan(27);
    expect(new Set([...codes].map(([first]) => first)).size).toBeGreaterThan(5);
    await service.set(codesPerHourPerAddress, 20);
  });

  it('appear only in the message', async () => {
    const [target, phone] = [freshEmail(), freshPhone()];
    await send({ target });
    await send({ target: phone, channel: 'sms' });
    for (const code of [testMessages.code(target), testMessages.code(phone)]) {
      const stored = await service.query(
        `SELECT row_to_json(verification_code)::text AS row FROM verification_code
         UNION ALL SELECT row_to_json(audit_event)::text FROM audit_event
         UNION ALL SELECT row_to_json(message_delivery)::text FROM message_delivery`,
      );
      const alone = new RegExp(`(?<![0-9a-f-])${code}(?![0-9a-f-])`);
      expect(stored.filter(({ row }) => alone.test(String(row)))).toEqual([]);
      expect([...service.logLines, ...other.logLines].filter((line) => alone.test(line))).toEqual([]);
    }
  });

  it('expire by the database clock', async () => {
    const target = freshEmail();
    await service.set(codeTtl, 30);
    expect((await send({ target })).body.expires_in).toBe(30);
    await service.set(codeTtl, 600);
    await service.query(`UPDATE verification_code SET expires_at = expires_at - interval '31 s' WHERE target = $1`, [
      target,
    ]);
    await expect(check(target)).rejects.toMatchObject({ code: 'code_invalid' });
  });

  it('become invalid once the next code is sent', async () => {
    const target = freshEmail();
    await send({ target });
    const first = testMessages.code(target);
    await send({ target });
    if (first !== testMessages.code(target)) {
      await expect(check(target, first)).rejects.toMatchObject({ code: 'code_invalid' });
    }
    await expect(check(target)).resolves.toBeDefined();
  });

  it.each([
    { purpose: 'login' as const },
    { purpose: 'bind' as const },
    { purpose: 'reset_password' as const },
    { channel: 'sms' as const },
    { key: 'else@example.com' },
    { userId: '0198b2f4-7f7e-7aaa-8bbb-0123456789ab' },
    { sessionId: '0198b2f4-7f7e-7aaa-8bbb-0123456789ab' },
  ])('match only the exact request, not %j', async (change) => {
    const target = freshEmail();
    await send({ target });
    const use = {
      purpose: 'register' as const,
      channel: 'email' as const,
      key: target,
      code: testMessages.code(target),
    };
    const proofs = service.app.get(CodeProofsService, { strict: false });
    await expect(proofs.check({ ...use, ...change })).rejects.toMatchObject({ code: 'code_invalid' });
    await expect(proofs.check(use)).resolves.toBeDefined();
  });

  it('allow five wrong attempts across two instances and reject the sixth, even if it is right', async () => {
    const target = freshEmail();
    await send({ target });
    const code = testMessages.code(target);
    const wrong = code === '000000' ? '000001' : '000000';
    const guesses = await Promise.allSettled(
      Array.from({ length: 5 }, (_, turn) => check(target, wrong, turn % 2 ? other : service)),
    );
    expect(guesses.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(check(target, code)).rejects.toMatchObject({ code: 'code_invalid' });
    const [row] = await service.query('SELECT shared_attempts FROM verification_code WHERE target = $1', [target]);
    expect(row).toEqual({ shared_attempts: 5 });
  });

  it('stay valid after verification, so that the user can retry after another error', async () => {
    const target = freshEmail();
    await send({ target });
    for (let tries = 0; tries < 12; tries++) await expect(check(target)).resolves.toBeDefined();
  });

  it('end with the account of their user', async () => {
    const target = freshEmail();
    const ann = await service.signUp('ann_ends');
    const { id } = (await ann.get<{ id: string }>('/api/auth/me')).body;
    await send({ purpose: 'bind', target }, ann);
    await service.app.get(PendingCodesService, { strict: false }).endFor(id);
    expect(await service.query('SELECT 1 FROM verification_code WHERE target = $1', [target])).toEqual([]);
  });
});

it('sends no registration code while registration is disabled, whether the contact is known or not', async () => {
  const known = freshEmail();
  await service.register('has_a_contact', { email: known });
  await service.set(registrationEnabled, false);
  try {
    const before = testMessages.count();
    const wanted = { purpose: 'register', channel: 'email' };
    const failures = [known, freshEmail()].map((target) =>
      service.client().post<Problem>('/api/auth/codes', { ...wanted, target }),
    );
    for (const { status, body } of await Promise.all(failures)) {
      expectProblem({ status, body }, 403, 'registration_disabled');
    }
    expect(testMessages.count()).toBe(before);
  } finally {
    await service.set(registrationEnabled, true);
  }
});
