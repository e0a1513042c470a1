import { Injectable } from '@nestjs/common';
import { currentRequest } from '../platform/context';
import { newId } from '../platform/crypto';
import { Transactions } from '../platform/database';
import { AuditOutcome } from './audit-event.entity';
import { AuditRepository } from './audit.repository';

export interface AuditTarget {
  readonly type: string;
  readonly id: string;
  readonly label?: string;
}

export interface AuditEntry {
  /** `<subject>.<act>`, stable. */
  readonly action: string;
  /** Default `success`. */
  readonly outcome?: AuditOutcome;
  readonly target?: AuditTarget;
  /** Who acted, where the request has no caller yet (a login) or there is no request (a job). */
  readonly actor?: { readonly id: string; readonly username: string };
  readonly sessionId?: string;
  /** Secrets masked. */
  readonly before?: object;
  readonly after?: object;
  readonly reason?: string;
}

/** Writes down what was done, by whom, from where. */
@Injectable()
export class Audit {
  constructor(
    private readonly repository: AuditRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Must be called in the transaction of the act, so that neither is ever there without the other. */
  async record(entry: AuditEntry): Promise<void> {
    if (!this.transactions.isOpen) throw new Error(`Audit of ${entry.action} outside the transaction of its act`);
    const request = currentRequest();
    const caller = request?.caller;
    await this.repository.insert({
      id: newId(),
      action: entry.action,
      outcome: entry.outcome ?? 'success',
      actorId: entry.actor?.id ?? caller?.userId ?? null,
      actorName: entry.actor?.username ?? caller?.username ?? null,
      sessionId: entry.sessionId ?? caller?.sessionId ?? null,
      targetType: entry.target?.type ?? null,
      targetId: entry.target?.id ?? null,
      targetLabel: entry.target?.label ?? null,
      ip: request?.ip ?? null,
      userAgent: request?.userAgent ?? null,
      requestId: request?.requestId ?? null,
      before: entry.before ?? null,
      after: entry.after ?? null,
      reason: entry.reason ?? null,
    });
  }

  /** As `record`, in a transaction of its own: for refusals, whose act left nothing behind. */
  recordFailure(entry: Omit<AuditEntry, 'outcome'>): Promise<void> {
    return this.transactions.run(() => this.record({ ...entry, outcome: 'failure' }));
  }
}
