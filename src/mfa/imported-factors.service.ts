import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { newId, SecretBox } from '../platform/crypto';
import { FactorRepository } from './factor.repository';
import { contextOf } from './totp-codes.service';
import { factorActs } from './factor.acts';

export interface ImportedTotp {
  readonly userId: string;
  /** The name of the user in the audit. */
  readonly username: string;
  /** Base32, accepted by `isUsableTotpSecret`. */
  readonly secret: string;
}

/** Authenticator apps of accounts imported from another system. */
@Injectable()
export class ImportedFactorsService {
  constructor(
    private readonly factors: FactorRepository,
    private readonly box: SecretBox,
    private readonly audit: AuditService,
  ) {}

  /**
   * Runs in the caller's transaction, for accounts created in it. The apps count as confirmed, because their owners used
   * them in the other system.
   */
  async add(apps: readonly ImportedTotp[]): Promise<void> {
    if (apps.length === 0) return;
    const made = apps.map((app) => ({ ...app, id: newId() }));
    await this.factors.insertConfirmed(
      made.map(({ id, userId, secret }) => ({ id, userId, secret: this.box.seal(secret, contextOf(id)) })),
    );
    await this.audit.recordAll(
      made.map(({ id, userId, username }) =>
        factorActs.add({
          target: { type: 'user', id: userId, label: username },
          after: { type: 'totp', id, source: 'import' },
        }),
      ),
    );
  }
}
