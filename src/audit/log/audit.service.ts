import { Injectable } from '@nestjs/common';
import { actingSystemActor, currentRequest, RequestContext } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { AuditOutcome } from './audit-event.entity';
import { AuditRepository, NewAuditEvent } from './audit.repository';

export interface AuditTarget {
  readonly type: string;
  readonly id: string;
  readonly label?: string;
  /** The organisation that it belongs to. Not given for what belongs to the service. */
  readonly organizationId?: string | null;
}

export interface AuditEntry {
  /** `<subject>.<verb>`. Stable, because clients filter by it. */
  readonly action: string;
  /** Default `success`. */
  readonly outcome?: AuditOutcome;
  readonly target?: AuditTarget;
  /**
   * The organisation that the act concerns, by default that of the target. Its administrators read the whole event, so it must
   * name nothing of another one.
   */
  readonly organizationId?: string | null;
  /** The actor when the request has no caller yet (a login) or there is no request (a job). */
  readonly actor?: { readonly id: string; readonly username: string };
  readonly sessionId?: string;
  /** Secrets must be masked. */
  readonly before?: object;
  readonly after?: object;
  readonly reason?: string;
}

/** Writes the audit log: what was done, by which actor and from where. */
@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Call in the transaction of the audited change, so that both commit or neither does. */
  async record(entry: AuditEntry): Promise<void> {
    this.requireTransaction(entry);
    await this.repository.insert(eventOf(entry));
  }

  /** Same as `record`, for many entries in one statement. */
  async recordAll(entries: readonly AuditEntry[]): Promise<void> {
    const [first] = entries;
    if (!first) return;
    this.requireTransaction(first);
    await this.repository.insertAll(entries.map(eventOf));
  }

  /** Same as `record`, in a separate transaction: for rejected requests, whose own transaction is rolled back. */
  recordFailure(entry: Omit<AuditEntry, 'outcome'>): Promise<void> {
    return this.transactions.run(() => this.record({ ...entry, outcome: 'failure' }));
  }

  private requireTransaction({ action }: AuditEntry): void {
    if (!this.transactions.isOpen) throw new Error(`Audit of ${action} outside a transaction`);
  }
}

function eventOf(entry: AuditEntry): NewAuditEvent {
  return {
    id: newId(),
    action: entry.action,
    outcome: entry.outcome ?? 'success',
    ...actorOf(entry),
    ...targetOf(entry),
    organizationId: entry.organizationId ?? entry.target?.organizationId ?? null,
    ...requestPart(),
    before: entry.before ?? null,
    after: entry.after ?? null,
    reason: entry.reason ?? null,
  };
}

type Actors = Pick<NewAuditEvent, 'actorId' | 'actorName' | 'onBehalfOfId' | 'onBehalfOfName'>;

function actorOf({ actor, sessionId }: AuditEntry): Actors & Pick<NewAuditEvent, 'sessionId'> {
  const request = currentRequest();
  const session = sessionId ?? (actingSystemActor() ? null : (request?.caller?.sessionId ?? null));
  return { ...actorsOf(actor ?? requesterOf(request), request?.caller), sessionId: session };
}

/** The `client:` prefix cannot occur in a username. */
function requesterOf({ caller, client }: Partial<RequestContext> = {}): AuditEntry['actor'] {
  const user = actingSystemActor() ?? (client ? undefined : caller);
  if (user) return { id: user.userId, username: user.username };
  return client && { id: client.id, username: `client:${client.clientId}` };
}

/** What a user does who acts as another is done by the first, on behalf of the second. */
function actorsOf(named: AuditEntry['actor'], caller: RequestContext['caller']): Actors {
  if (caller?.actor && named?.id === caller.userId) {
    const { userId, username } = caller.actor;
    return { actorId: userId, actorName: username, onBehalfOfId: caller.userId, onBehalfOfName: caller.username };
  }
  const [actorId, actorName] = [named?.id ?? null, named?.username ?? null];
  return { actorId, actorName, onBehalfOfId: null, onBehalfOfName: null };
}

function targetOf({ target }: AuditEntry): Pick<NewAuditEvent, 'targetType' | 'targetId' | 'targetLabel'> {
  return { targetType: target?.type ?? null, targetId: target?.id ?? null, targetLabel: target?.label ?? null };
}

function requestPart(): Pick<NewAuditEvent, 'ip' | 'userAgent' | 'requestId'> {
  const request = currentRequest();
  return { ip: request?.ip ?? null, userAgent: request?.userAgent ?? null, requestId: request?.requestId ?? null };
}
