import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { FIRST_ID } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { ExportedUser, ExportRepository } from './export.repository';

const BATCH = 500;

/** All users with their roles, permissions and third-party accounts, for another system or for inspection. */
@Injectable()
export class AccountExportService {
  constructor(
    private readonly repository: ExportRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** By id, in batches between which nothing of the database is held; it is audited before the first. */
  async *users(withPasswordHashes: boolean): AsyncGenerator<ExportedUser> {
    await this.transactions.run(() =>
      this.audit.record({ action: 'user.export', after: { with_password_hashes: withPasswordHashes } }),
    );
    for (let after: string | undefined = FIRST_ID; after !== undefined;) {
      const batch: ExportedUser[] = await this.repository.list(after, BATCH, withPasswordHashes);
      yield* batch;
      after = batch.length === BATCH ? batch.at(-1)?.id : undefined;
    }
  }
}
