import { Injectable } from '@nestjs/common';
import { AuditChainKeysService } from './audit-chain-keys.service';
import { AuditRootRepository } from './audit-root.repository';
import { unverifiedClaims } from './root-claims';

/** Reads the retention in force: the newest genuine root says it, and no other row of the database. */
@Injectable()
export class SignedRetentionService {
  constructor(
    private readonly roots: AuditRootRepository,
    private readonly keys: AuditChainKeysService,
  ) {}

  /** Undefined before the first root of a version that signs drops. */
  async days(): Promise<number | undefined> {
    const verify = await this.keys.verifier();
    // More than the newest root is read only if that was made by a former version, or is forged.
    for await (const { number, token } of this.roots.newestFirst()) {
      if (unverifiedClaims(token).retention_days === undefined) continue;
      const claims = verify(token);
      if (claims?.number === Number(number)) return claims.retention_days;
    }
    return undefined;
  }
}
