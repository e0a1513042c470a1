import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { FIRST_ID } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { ExportedUser, ExportRepository } from './export.repository';
import { userAdminActs } from '../user-admin';

const BATCH = 500;

/** Exports all users with their roles, groups, organizations, permissions and third-party accounts. */
@Injectable()
export class AccountExportService {
  constructor(
    private readonly repository: ExportRepository,
    private readonly transactions: Transactions,
    private readonly audit: AuditService,
  ) {}

  /** Ordered by id, in batches without a transaction around them. The audit entry is written before the first batch. */
  async *users(withPasswordHashes: boolean): AsyncGenerator<ExportedUser> {
    await this.transactions.run(() =>
      this.audit.record(userAdminActs.export, { after: { with_password_hashes: withPasswordHashes } }),
    );
    for (let after: string | undefined = FIRST_ID; after !== undefined;) {
      const batch: ExportedUser[] = await this.repository.list(after, BATCH, withPasswordHashes);
      yield* batch;
      after = batch.length === BATCH ? batch.at(-1)?.id : undefined;
    }
  }
}
