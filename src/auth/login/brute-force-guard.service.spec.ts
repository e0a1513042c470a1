import type { RequestContext } from '../../platform/context';
import { defineErrors } from '../../platform/errors';
import { AttemptOrigin, BruteForceGuardService, ProtectedSecret } from './brute-force-guard.service';
import { loginActs } from './login.acts';
import { loginErrors } from './login.errors';
import { fakeArguments } from '../../../test/support/service/fake';

const { wrongSecret } = defineErrors({ wrongSecret: 401 });

const ORIGIN: AttemptOrigin = {
  request: { limitKey: '10.0.0.1' } as RequestContext,
  cookies: { recognize: () => 'laptop', trustTokens: [], passkeySecrets: [], codeSecrets: [] },
};

const secret = (more: Partial<ProtectedSecret> = {}): ProtectedSecret => ({
  user: undefined,
  key: 'ann',
  createError: wrongSecret,
  act: loginActs.login,
  ...more,
});

const reject = (error: Error) => async (): Promise<never> => {
  throw error;
};

describe('BruteForceGuardService', () => {
  const attempt = { fail: jest.fn(async () => true), succeed: jest.fn(), cancel: jest.fn() };
  const lockout = { begin: jest.fn(async (_: object) => attempt), beginForAddress: jest.fn(async () => attempt) };
  const audit = { recordFailure: jest.fn() };
  const guard = new BruteForceGuardService(
    ...fakeArguments<ConstructorParameters<typeof BruteForceGuardService>>([lockout, audit]),
  );

  beforeEach(() => jest.clearAllMocks());

  it('ends an attempt that verifies as a success', async () => {
    expect(await guard.protect(secret(), ORIGIN, async () => 'proof')).toBe('proof');
    expect(lockout.begin).toHaveBeenCalledWith({ subject: 'ann', address: '10.0.0.1', device: 'laptop' });
    expect(attempt.succeed).toHaveBeenCalledTimes(1);
  });

  it('counts and audits a wrong secret, including the lock it caused', async () => {
    const after = { method: 'password' };
    await expect(guard.protect(secret({ after }), ORIGIN, reject(wrongSecret()))).rejects.toMatchObject({
      code: 'wrong_secret',
    });
    expect(attempt.fail).toHaveBeenCalledTimes(1);
    expect(audit.recordFailure).toHaveBeenCalledWith(loginActs.login, { after: { ...after, locked: true } });
  });

  it.each([
    { case: 'any other error', protectedSecret: secret(), error: new Error('database away') },
    {
      case: 'a secret without a counted error',
      protectedSecret: secret({ createError: undefined }),
      error: wrongSecret(),
    },
  ])('cancels the attempt on $case', async ({ protectedSecret, error }) => {
    await expect(guard.protect(protectedSecret, ORIGIN, reject(error))).rejects.toBe(error);
    expect(attempt.cancel).toHaveBeenCalledTimes(1);
    expect(attempt.fail).not.toHaveBeenCalled();
    expect(audit.recordFailure).not.toHaveBeenCalled();
  });

  it('counts second factors separately', async () => {
    await guard.protect(secret({ isSecondFactor: true }), ORIGIN, async () => 'proof');
    expect(lockout.begin).toHaveBeenCalledWith(expect.objectContaining({ subject: 'ann|second_factor' }));
  });

  it('asks for no lock of the account with the limits of the address', async () => {
    expect(await guard.protect(secret({ limits: 'address' }), ORIGIN, async () => 'proof')).toBe('proof');
    expect(lockout.beginForAddress).toHaveBeenCalledWith('10.0.0.1');
    expect(lockout.begin).not.toHaveBeenCalled();
  });

  it('obeys a lock of the account, and counts failures elsewhere, with the limits of the lock', async () => {
    const locked = loginErrors.accountLocked({ retryAfterSeconds: 9 });
    await expect(guard.protect(secret({ limits: 'lock' }), ORIGIN, reject(wrongSecret()))).rejects.toMatchObject({
      code: 'wrong_secret',
    });
    expect(attempt.fail).toHaveBeenCalledWith('lock');
    lockout.begin.mockRejectedValueOnce(locked);
    await expect(guard.protect(secret({ limits: 'lock' }), ORIGIN, async () => 'proof')).rejects.toBe(locked);
  });
});
