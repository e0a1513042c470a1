import type { Caller, RequestContext } from '../platform/context';
import { factorActs } from './factor.acts';
import type { SecondFactorAttempt } from './second-factor-attempts';
import { TotpCodesService } from './totp-codes.service';
import { TotpFactorsService } from './totp-factors.service';
import { fakeArguments } from '../../test/support/service/fake';

type CodeParts = ConstructorParameters<typeof TotpCodesService>;
type FactorParts = ConstructorParameters<typeof TotpFactorsService>;

const CALLER = { userId: 'ann', username: 'ann' } as Caller;
const REQUEST = { limitKey: '10.0.0.1' } as RequestContext;

const confirmed = (box: object, seen: SecondFactorAttempt[]): Promise<string[]> => {
  const factors = { findUnconfirmedTotp: async () => ({ id: 'totp', secret: 'sealed' }) };
  const status = { get: async () => ({ isOffered: true }) };
  const attempts = {
    verifySecondFactor: (attempt: SecondFactorAttempt, _: RequestContext, verify: () => Promise<unknown>) => {
      seen.push(attempt);
      return verify();
    },
  };
  const codes = new TotpCodesService(...fakeArguments<CodeParts>([factors, box, { now: () => 0 }, attempts]));
  const parts = [factors, codes, {}, {}, status];
  return new TotpFactorsService(...(parts as unknown as FactorParts)).confirm(CALLER, 'totp', '123456', REQUEST);
};

describe('TotpFactorsService', () => {
  it('does not count a failure to open the secret as a wrong code', async () => {
    const unopened = new Error('no key of the ring opens it');
    const seen: SecondFactorAttempt[] = [];
    const open = (): never => {
      throw unopened;
    };
    await expect(confirmed({ open }, seen)).rejects.toBe(unopened);
  });

  it('counts a wrong code', async () => {
    const seen: SecondFactorAttempt[] = [];
    const error = await confirmed({ open: () => 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }, seen).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: seen[0]?.createError.code });
    expect(seen[0]).toMatchObject({ user: { id: 'ann' }, after: { type: 'totp', id: 'totp' } });
    expect(seen[0]?.act).toBe(factorActs.add);
  });
});
