import { Injectable } from '@nestjs/common';
import { AuditChainKeysService } from './audit-chain-keys.service';
import { AuditRootRepository } from './audit-root.repository';
import { SignedDrops } from './signed-drops';

/** Reads what retention dropped: only signed roots say it, so that writing to the database excuses no deletion. */
@Injectable()
export class AuditDropsService {
  constructor(
    private readonly roots: AuditRootRepository,
    private readonly keys: AuditChainKeysService,
  ) {}

  async find(): Promise<SignedDrops> {
    const roots = await this.roots.findWithoutEvents();
    const verify = await this.keys.verifier();
    return new SignedDrops(
      roots.flatMap(({ number, token }) => {
        const claims = verify(token);
        return claims?.number === Number(number) ? [claims] : [];
      }),
    );
  }
}
