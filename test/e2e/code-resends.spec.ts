import { Transactions } from '../../src/platform/database';
import { CodeProof, CodeProofsService } from '../../src/verification';
import { MessengerService } from '../../src/messaging/delivery';
import { DeliveryOutcome } from '../../src/messaging/message/message';
import { codeFor, known, otherThan, withCodes } from '../support/accounts/codes';
import { eventually } from '../support/service/eventually';
import { testMessages } from '../support/receivers/test-messages';
import type { TestService } from '../support/service/test-service';

describe('a code whose resend fails', () => {
  let service: TestService;
  let messenger: MessengerService;
  let made = 0;

  withCodes((started) => {
    service = started;
    messenger = service.app.get(MessengerService, { strict: false });
  });

  afterEach(() => {
    testMessages.answerWith('accepted');
    jest.restoreAllMocks();
  });

  const freshEmail = (): string => `again${++made}@example.com`;
  const send = async (target: string, purpose = 'register'): Promise<number> =>
    (await service.client().post('/api/auth/codes', { purpose, channel: 'email', target })).status;
  const check = (key: string, code: string): Promise<CodeProof> =>
    service.app.get(CodeProofsService, { strict: false }).check({ purpose: 'register', channel: 'email', key, code });
  const spend = async (key: string, code: string): Promise<void> => {
    const proof = await check(key, code);
    await service.app.get(Transactions).run(() => proof.consume());
  };
  const stored = (target: string): Promise<object[]> =>
    service.query('SELECT * FROM verification_code WHERE target = $1', [target]);
  const firstCode = async (target: string): Promise<string> => {
    expect(await send(target)).toBe(202);
    return testMessages.code(target);
  };
  const failedOnce = async (target: string): Promise<void> => {
    testMessages.answerWith('rejected');
    expect(await send(target)).toBe(502);
    testMessages.answerWith('accepted');
  };

  /** Keeps the next message pending until `answer` is called with its outcome. */
  function heldMessage(): { under: Promise<void>; answer: (outcome: DeliveryOutcome) => void } {
    let answer!: (outcome: DeliveryOutcome) => void;
    const outcome = new Promise<DeliveryOutcome>((resolve) => (answer = resolve));
    const under = new Promise<void>((resolve) => {
      jest.spyOn(messenger, 'send').mockImplementationOnce(() => {
        resolve();
        return outcome;
      });
    });
    return { under, answer };
  }

  it('stays valid and can be consumed once', async () => {
    const target = freshEmail();
    const code = await firstCode(target);
    const before = await stored(target);
    await failedOnce(target);
    expect(await stored(target)).toEqual(before);
    await spend(target, code);
    await expect(check(target, code)).rejects.toMatchObject({ code: 'code_invalid' });
  });

  it('stays valid for the owner of the contact, who gets no error', async () => {
    const { email, username } = await known(service);
    const client = service.client();
    const code = await codeFor(client, 'login', email);
    const letters = testMessages.to(email).length;
    const [before] = await stored(email);
    testMessages.answerWith('throttled');
    expect(await send(email, 'login')).toBe(202);
    await eventually(
      async () => testMessages.to(email).length,
      (count) => count > letters,
    );
    await eventually(
      () => stored(email),
      ([row]) => JSON.stringify(row) === JSON.stringify(before),
    );
    const answer = await client.post<{ user: object }>('/api/auth/login', { type: 'email', email, code });
    expect(answer.body).toMatchObject({ user: { username } });
  });

  it('keeps its attempt count, and attempts made during the resend count for the contact', async () => {
    const target = freshEmail();
    const code = await firstCode(target);
    for (let tries = 0; tries < 3; tries++) await expect(check(target, otherThan(code))).rejects.toThrow();
    const message = heldMessage();
    const sending = send(target);
    await message.under;
    for (let tries = 0; tries < 2; tries++) await expect(check(target, code)).rejects.toThrow();
    message.answer('rejected');
    expect(await sending).toBe(502);
    expect(await stored(target)).toMatchObject([{ shared_attempts: 3 }]);
    const [counted] = await service.query('SELECT wrong FROM verification_target WHERE target = $1', [target]);
    expect(counted).toEqual({ wrong: 5 });
    await expect(check(target, code)).resolves.toBeDefined();
  });

  it('is not restored after it expired or was deleted in the meantime', async () => {
    const expired = freshEmail();
    const code = await firstCode(expired);
    await service.query('UPDATE verification_code SET expires_at = now() WHERE target = $1', [expired]);
    await failedOnce(expired);
    await expect(check(expired, code)).rejects.toMatchObject({ code: 'code_invalid' });

    const ended = freshEmail();
    await firstCode(ended);
    const message = heldMessage();
    const sending = send(ended);
    await message.under;
    await service.query('DELETE FROM verification_code WHERE target = $1', [ended]);
    message.answer('rejected');
    expect(await sending).toBe(502);
    expect(await stored(ended)).toEqual([]);
  });

  it.each([
    ['the first fails, then the second arrives', ['rejected', 'accepted'], 1],
    ['the first arrives, then the second fails', ['accepted', 'rejected'], 0],
  ] as const)('is replaced by the accepted one of two concurrent resends: %s', async (_, outcomes, good) => {
    const target = freshEmail();
    const code = await firstCode(target);
    const codes: string[] = [];
    const answers: ((outcome: DeliveryOutcome) => void)[] = [];
    const sendings: Promise<number>[] = [];
    jest.spyOn(messenger, 'send').mockImplementation(({ values }) => {
      codes.push((values as { code: string }).code);
      return new Promise((resolve) => answers.push(resolve));
    });
    for (const turn of [1, 2]) {
      sendings.push(send(target));
      await eventually(
        async () => answers.length,
        (count) => count === turn,
      );
    }
    for (const turn of [0, 1] as const) {
      answers[turn]!(outcomes[turn]);
      expect(await sendings[turn]).toBe(outcomes[turn] === 'accepted' ? 202 : 502);
    }
    for (const other of [code, codes[1 - good]!]) await expect(check(target, other)).rejects.toThrow();
    await spend(target, codes[good]!);
    expect(await stored(target)).toEqual([]);
  });
});
