import { Injectable } from '@nestjs/common';
import {
  ActFields,
  ActStates,
  AuditService,
  hostEntry,
  MAX_TARGET_ID,
  MAX_TARGET_LABEL,
  MAX_TARGET_TYPE,
} from '../audit';
import { Transactions } from '../platform/database';
import { isStorable } from '../platform/util';
import { ActOptions, HostActsService } from './host-acts.service';
import { SERVICE_SUBJECTS } from './service-subjects';

/** An act of the application. Its values must hold no secrets. */
export interface OwnAuditEntry extends Pick<ActFields, 'outcome' | 'target' | 'reason'>, ActStates {
  /** `<subject>.<verb>`. Stable, because clients filter by it. */
  readonly action: string;
}

const ACTION = /^(?=.{1,64}$)[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/;
const MAX_LENGTHS = { type: MAX_TARGET_TYPE, id: MAX_TARGET_ID, label: MAX_TARGET_LABEL };

/** Adds acts of the application to the audit log, beside those of the service. */
@Injectable()
export class AuditApi {
  constructor(
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly acts: HostActsService,
  ) {}

  /**
   * Records an act that has happened, in a transaction of the service's database. Time, request and address are added.
   * Throws a `TypeError` for an entry that cannot be stored.
   */
  async record(entry: OwnAuditEntry, options: ActOptions = {}): Promise<void> {
    rejectWrong(entry);
    await this.acts.run(options, [], () => this.transactions.run(() => this.audit.record(hostEntry(entry))));
  }
}

function isStorableThroughout(value: object): boolean {
  let found = true;
  JSON.stringify(value, (key, member: unknown) => {
    if (!isStorable(key) || (typeof member === 'string' && !isStorable(member))) found = false;
    return member;
  });
  return found;
}

function rejectWrong({ action, target, ...rest }: OwnAuditEntry): void {
  if (!ACTION.test(action)) {
    throw new TypeError(
      `An audited action reads "subject.verb", such as "order.cancel", not ${JSON.stringify(action)}`,
    );
  }
  if (SERVICE_SUBJECTS.has(action.split('.', 1)[0] ?? '')) {
    throw new TypeError(`"${action}" would look like an act of the service: name a subject of the application`);
  }
  if (!isStorableThroughout({ target, ...rest })) {
    throw new TypeError(`The entry of "${action}" contains a character that PostgreSQL cannot store`);
  }
  for (const [part, most] of Object.entries(MAX_LENGTHS)) {
    const length = target?.[part as keyof typeof MAX_LENGTHS]?.length ?? 0;
    if (length > most) throw new TypeError(`The target's ${part} of "${action}" has more than ${most} characters`);
  }
}
