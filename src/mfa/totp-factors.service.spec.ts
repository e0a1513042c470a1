import type { Caller, RequestContext } from '../platform/context';
import type { Guess } from '../session';
import { TotpFactors } from './totp-factors.service';

type Parts = ConstructorParameters<typeof TotpFactors>;

describe('TotpFactors', () => {
  it('gives the place among the guesses back where the secret does not open', async () => {
    const guess = { failed: jest.fn(), succeeded: jest.fn(), abandoned: jest.fn() };
    const unopened = new Error('no key of the ring opens it');
    const box = {
      open: (): never => {
        throw unopened;
      },
    };
    const factors = { findUnconfirmedTotp: async () => ({ id: 'totp', secret: 'sealed' }) };
    const lockout = { take: async (): Promise<Guess> => guess };
    const standings = { of: async () => ({ isOffered: true }) };
    const parts = [factors, {}, {}, standings, {}, box, { now: () => 0 }, {}, {}, lockout, {}];
    const confirmed = new TotpFactors(...(parts as unknown as Parts)).confirm(
      { userId: 'ann', username: 'ann' } as Caller,
      'totp',
      '123456',
      { limitKey: '10.0.0.1' } as RequestContext,
    );
    await expect(confirmed).rejects.toBe(unopened);
    expect(guess.abandoned).toHaveBeenCalledTimes(1);
    expect(guess.failed).not.toHaveBeenCalled();
  });
});
