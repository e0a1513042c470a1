import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';

/** An account whose deletion is due. */
export interface DueDeletion {
  readonly id: string;
  readonly dueAt: Date;
}

/** Owners whose account is deleted sooner get the notice of the request only. */
const REMINDER_DAYS = 1;

/** When accounts are deleted at the request of their owners. Raw SQL for the database's clock and for SKIP LOCKED. */
@Injectable()
export class DeletionRequestRepository {
  constructor(private readonly transactions: Transactions) {}

  /** Returns the time, or undefined without such an account. */
  async set(id: string, graceDays: number): Promise<Date | undefined> {
    const rows = await this.transactions.rows<{ dueAt: Date }>(
      `UPDATE user_account SET deletion_due_at = now() + make_interval(days => $2::int), updated_at = now(),
         deletion_reminded_at = CASE WHEN $2::int > ${REMINDER_DAYS} THEN NULL ELSE now() END
       WHERE id = $1 RETURNING deletion_due_at AS "dueAt"`,
      [id, graceDays],
    );
    return rows[0]?.dueAt;
  }

  async clear(id: string): Promise<void> {
    await this.transactions.rows(
      `UPDATE user_account SET deletion_due_at = NULL, deletion_reminded_at = NULL, updated_at = now() WHERE id = $1`,
      [id],
    );
  }

  /** Active accounts that are due, oldest first, after the given one. A disabled account may be evidence, and stays. */
  findDue(after: DueDeletion | undefined, limit: number): Promise<DueDeletion[]> {
    return this.transactions.rows<DueDeletion>(
      `SELECT id, deletion_due_at AS "dueAt" FROM user_account
       WHERE deletion_due_at <= now() AND status = 'active'
         AND ($1::timestamptz IS NULL OR (deletion_due_at, id) > ($1::timestamptz, $2::uuid))
       ORDER BY deletion_due_at, id LIMIT $3`,
      [after?.dueAt ?? null, after?.id ?? null, limit],
    );
  }

  /** Whether the account is active and its deletion due, by the database's clock. Call after locking the user. */
  async isDue(id: string): Promise<boolean> {
    const sql = "SELECT 1 FROM user_account WHERE id = $1 AND deletion_due_at <= now() AND status = 'active'";
    return (await this.transactions.rows(sql, [id])).length > 0;
  }

  /** Marks owners as reminded whose active account is deleted within a day, and returns their ids. */
  async claimReminders(limit: number): Promise<string[]> {
    const rows = await this.transactions.rows<{ id: string }>(
      `WITH soon AS (
         SELECT id FROM user_account
         WHERE deletion_due_at > now() AND deletion_due_at <= now() + make_interval(days => ${REMINDER_DAYS})
           AND deletion_reminded_at IS NULL AND status = 'active'
         ORDER BY deletion_due_at, id LIMIT $1 FOR UPDATE SKIP LOCKED)
       UPDATE user_account SET deletion_reminded_at = now() FROM soon WHERE user_account.id = soon.id
       RETURNING user_account.id`,
      [limit],
    );
    return rows.map(({ id }) => id);
  }
}
