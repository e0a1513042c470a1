import { EncryptionKeys, SecretBox } from '../platform/crypto';
import { RecoveryCodesService } from './recovery-codes.service';
import { fakeArguments } from '../../test/support/service/fake';

type Parts = ConstructorParameters<typeof RecoveryCodesService>;

describe('RecoveryCodesService', () => {
  it('issues ten codes of 80 bits, which are valid for their user only', async () => {
    let stored: { codes: string[] } | undefined;
    const consumed: string[] = [];
    const factors = {
      replaceRecovery: async (set: { codes: string[] }) => (stored = set),
      findRecovery: async () => stored,
      consumeRecovery: async (_: string, digest: string) => consumed.push(digest) > 0,
    };
    const box = new SecretBox(EncryptionKeys.parse(EncryptionKeys.generate()));
    const recovery = new RecoveryCodesService(...fakeArguments<Parts>([factors, box]));
    const codes = await recovery.issue('ann');
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){3}$/);
    expect(await recovery.verify('ann', codes[0]!.slice(0, -1))).toBeUndefined();
    expect(await recovery.verify('bob', codes[0]!)).toBeUndefined();
    expect(await (await recovery.verify('ann', codes[9]!))!()).toBe(true);
    expect(consumed).toEqual([stored!.codes[9]]);
  });
});
