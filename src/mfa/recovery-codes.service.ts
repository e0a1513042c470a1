import { Injectable } from '@nestjs/common';
import { newId, randomReadable, SecretBox } from '../platform/crypto';
import { codeAsMade } from '../platform/text';
import { FactorRepository } from './factor.repository';

const CODES = 10;
const GROUPS = 4;
const PURPOSE = 'recovery_code';

/** Ten codes of eighty bits for who has lost everything else; each is good once. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly box: SecretBox,
  ) {}

  /** In the caller's transaction: a new set instead of the old one, to be shown once. */
  async issue(userId: string): Promise<string[]> {
    const codes = Array.from({ length: CODES }, () => randomReadable(GROUPS));
    const digests = codes.map((code) => this.box.mac(PURPOSE, claimOf(userId, code)));
    await this.factors.replaceRecovery({ id: newId(), userId, codes: digests });
    return codes;
  }

  /** What spends the code, if it is one of the user's. */
  async verify(userId: string, code: string): Promise<(() => Promise<boolean>) | undefined> {
    const set = await this.factors.findRecovery(userId);
    const claim = claimOf(userId, code);
    const digest = set?.codes.find((known) => this.box.verifyMac(PURPOSE, claim, known));
    return digest === undefined ? undefined : () => this.factors.consumeRecovery(userId, digest);
  }
}

/** Codes are typed from paper. */
function claimOf(userId: string, code: string): string {
  return `${userId}|${codeAsMade(code)}`;
}
