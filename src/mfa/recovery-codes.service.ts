import { Injectable } from '@nestjs/common';
import { newId, randomReadable, SecretBox } from '../platform/crypto';
import { codeAsMade } from '../platform/util';
import { FactorRepository } from './factor.repository';

const CODES = 10;
const GROUPS = 4;
const PURPOSE = 'recovery_code';

/** Recovery codes for users who have lost their other factors: ten codes of 80 bits, each valid once. */
@Injectable()
export class RecoveryCodesService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly box: SecretBox,
  ) {}

  /** Replaces the user's codes and returns the new ones, to be shown once. Call in a transaction. */
  async issue(userId: string): Promise<string[]> {
    const codes = Array.from({ length: CODES }, () => randomReadable(GROUPS));
    const digests = codes.map((code) => this.box.mac(PURPOSE, claimOf(userId, code)));
    await this.factors.replaceRecovery({ id: newId(), userId, codes: digests });
    return codes;
  }

  /** Returns a function that consumes the code, or undefined for a wrong code. */
  async verify(userId: string, code: string): Promise<(() => Promise<boolean>) | undefined> {
    const set = await this.factors.findRecovery(userId);
    const claim = claimOf(userId, code);
    const digest = set?.codes.find((known) => this.box.verifyMac(PURPOSE, claim, known));
    return digest === undefined ? undefined : () => this.factors.consumeRecovery(userId, digest);
  }
}

/** Normalizes the code as typed. */
function claimOf(userId: string, code: string): string {
  return `${userId}|${codeAsMade(code)}`;
}
