import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Transactions } from '../platform/database';
import { CursorAnswer, CursorsService, placeOf, Position } from '../platform/lists';
import { Log } from '../platform/logging';
import { AuditEvent } from './audit-event.entity';
import { AuditFilter, AuditLogRepository } from './audit-log.repository';
import { AuditService } from './audit.service';
import { AuditEventDto, auditEventDto, AuditExportQueryDto, AuditQueryDto } from './dto/audit.dto';

const BATCH = 500;

@Injectable()
export class AuditLogService {
  constructor(
    private readonly repository: AuditLogRepository,
    private readonly cursors: CursorsService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  /** Newest first. Throws `validation_failed` for a cursor of another search. */
  async list(query: AuditQueryDto): Promise<CursorAnswer<AuditEventDto>> {
    const filter = filterOf(query);
    const list = `audit|${JSON.stringify(filter)}`;
    const page = this.cursors.read(list, query);
    const rows = await this.repository.find(filter, page.after, page.limit);
    return this.cursors.answer(list, page, rows, { item: auditEventDto, position: placeOf });
  }

  /**
   * Streams one JSON object per line, newest first. Batches follow the reader's speed and hold no database connection
   * in between. An error aborts the response, so that a partial export never looks complete.
   */
  async export(query: AuditExportQueryDto): Promise<Readable> {
    const filter = filterOf(query);
    const first = await this.repository.find(filter, undefined, BATCH);
    await this.transactions.run(() =>
      this.audit.record({ action: 'audit.export', after: Object.fromEntries(Object.entries(query)) }),
    );
    return Readable.from(this.lines(filter, first), { objectMode: false });
  }

  private async *lines(filter: AuditFilter, first: AuditEvent[]): AsyncGenerator<string> {
    let batch = first;
    while (batch.length > 0) {
      yield batch.map((event) => `${JSON.stringify(auditEventDto(event))}\n`).join('');
      const last = batch.length === BATCH ? batch.at(-1) : undefined;
      batch = last ? await this.next(filter, placeOf(last)) : [];
    }
  }

  private async next(filter: AuditFilter, after: Position): Promise<AuditEvent[]> {
    try {
      return await this.repository.find(filter, after, BATCH);
    } catch (error) {
      this.log.warn('Audit export failed', { err: error });
      throw error;
    }
  }
}

function filterOf(query: AuditExportQueryDto): AuditFilter {
  return {
    actorId: query.actor_id,
    action: query.action,
    targetType: query.target_type,
    targetId: query.target_id,
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
  };
}
