import { Injectable } from '@nestjs/common';
import { actingSystemActor, currentRequest, RequestContext } from '../../platform/context';
import { newId } from '../../platform/crypto';
import { Transactions } from '../../platform/database';
import { AuditRepository, NewAuditEvent } from './audit.repository';
import { Act, ActFields, ActStates, AuditEntry } from './define-act';

/** Writes the audit log: what was done, by which actor and from where. */
@Injectable()
export class AuditService {
  constructor(
    private readonly repository: AuditRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Call in the transaction of the audited change, so that both commit or neither does. */
  record(entry: AuditEntry): Promise<void>;
  record<S extends ActStates>(act: Act<S>, fields: ActFields & NoInfer<S>): Promise<void>;
  async record<S extends ActStates>(act: Act<S> | AuditEntry, fields?: ActFields & S): Promise<void> {
    const entry = entryOf(act, fields);
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
  recordFailure(entry: AuditEntry): Promise<void>;
  recordFailure<S extends ActStates>(act: Act<S>, fields: ActFields & NoInfer<S>): Promise<void>;
  recordFailure<S extends ActStates>(act: Act<S> | AuditEntry, fields?: ActFields & S): Promise<void> {
    return this.transactions.run(() => this.record({ ...entryOf(act, fields), outcome: 'failure' }));
  }

  private requireTransaction({ action }: AuditEntry): void {
    if (!this.transactions.isOpen) throw new Error(`Audit of ${action} outside a transaction`);
  }
}

function entryOf<S extends ActStates>(act: Act<S> | AuditEntry, fields?: ActFields & S): AuditEntry {
  return typeof act === 'function' ? act(fields as ActFields & S) : act;
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
