import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { currentRequest } from '../../platform/context';
import { Transactions } from '../../platform/database';
import { fallbackLanguage, TranslatorService } from '../../platform/i18n';
import { CursorAnswer, CursorsService, placeOf, Position } from '../../platform/lists';
import { Log } from '../../platform/logging';
import { AuditView } from './audit-access.service';
import { auditCsvHead, auditCsvLine } from './audit-csv';
import { AuditEvent } from './audit-event.entity';
import { AuditFilter, AuditLogRepository } from './audit-log.repository';
import { AuditService } from './audit.service';
import {
  AuditEntryDto,
  auditEntryDto,
  AuditEventDto,
  auditEventDto,
  AuditExportQueryDto,
  AuditQueryDto,
  withinOrganization,
} from './dto/audit.dto';
import { auditActs } from './audit.acts';

const BATCH = 500;
/** An index serves the organization and the time only; a further filter may read all of its events to find one. */
const FILTERED_DAYS = 90;
const DAY_MS = 86_400_000;

interface Search {
  readonly filter: AuditFilter;
  readonly view: AuditView;
}

/** How an export writes events. */
interface Format {
  readonly head: string;
  readonly line: (event: AuditEventDto) => string;
}

const ndjson: Format = { head: '', line: (event) => `${JSON.stringify(event)}\n` };
const csv: Format = { head: auditCsvHead(), line: auditCsvLine };

@Injectable()
export class AuditLogService {
  constructor(
    private readonly repository: AuditLogRepository,
    private readonly cursors: CursorsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly translator: TranslatorService,
    private readonly log: Log,
  ) {}

  /** Newest first. Throws `validation_failed` for a cursor of another search. */
  async list(query: AuditQueryDto, view: AuditView): Promise<CursorAnswer<AuditEntryDto>> {
    const filter = filterOf(query);
    const list = `audit|${JSON.stringify(filter)}`;
    const page = this.cursors.read(list, query);
    const rows = await this.find({ filter: bounded(filter, view), view }, page.after, page.limit);
    return this.cursors.answer(list, page, rows, { item: (event) => this.entryOf(event), position: placeOf });
  }

  private async find({ filter, view }: Search, after: Position | undefined, limit: number): Promise<AuditEvent[]> {
    const events = await this.repository.find(filter, after, limit);
    return view === 'whole' ? events : events.map(withinOrganization);
  }

  private entryOf(event: AuditEvent): AuditEntryDto {
    const language = currentRequest()?.language ?? fallbackLanguage;
    const key = titleKey(event.action);
    const title = this.translator.text(language, 'audit', key);
    return auditEntryDto(event, title === key ? event.action : title);
  }

  /**
   * Streams one event per line, newest first. Batches follow the reader's speed and hold no database connection
   * in between. An error aborts the response, so that a partial export never looks complete.
   */
  async export(query: AuditExportQueryDto, view: AuditView): Promise<Readable> {
    const search = { filter: bounded(filterOf(query), view), view };
    const first = await this.find(search, undefined, BATCH);
    await this.transactions.run(() =>
      this.audit.record(auditActs.export, {
        organizationId: view === 'whole' ? null : (query.organization_id ?? null),
        after: Object.fromEntries(Object.entries(query)),
      }),
    );
    const lines = query.format === 'csv' ? this.lines(search, first, csv) : this.lines(search, first, ndjson);
    return Readable.from(lines, { objectMode: false });
  }

  private async *lines(search: Search, first: AuditEvent[], format: Format): AsyncGenerator<string> {
    if (format.head !== '') yield format.head;
    let batch = first;
    while (batch.length > 0) {
      yield batch.map((event) => format.line(auditEventDto(event))).join('');
      const last = batch.length === BATCH ? batch.at(-1) : undefined;
      batch = last ? await this.next(search, placeOf(last)) : [];
    }
  }

  private async next(search: Search, after: Position): Promise<AuditEvent[]> {
    try {
      return await this.find(search, after, BATCH);
    } catch (error) {
      this.log.warn('Audit export failed', { err: error });
      throw error;
    }
  }
}

/** The key of an action's title: an action may be the beginning of another one. */
const titleKey = (action: string): string => action.replaceAll('.', '/');

/** No index serves a search for all that concerns a user, or by more than the time in an organization: such reach back 90 days. */
function bounded(filter: AuditFilter, view: AuditView): AuditFilter {
  const { organizationId: _, from, to, ...further } = filter;
  const isFiltered = Object.values<unknown>(further).some((value) => value !== undefined);
  const isServed = view === 'whole' && filter.userId === undefined;
  if (isServed || from || !isFiltered) return filter;
  return { ...filter, from: new Date((to ?? new Date()).getTime() - FILTERED_DAYS * DAY_MS) };
}

function filterOf(query: AuditExportQueryDto): AuditFilter {
  return {
    userId: query.user_id,
    actorId: query.actor_id,
    onBehalfOfId: query.on_behalf_of_id,
    organizationId: query.organization_id,
    action: query.action,
    outcome: query.outcome,
    targetType: query.target_type,
    targetId: query.target_id,
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
  };
}
