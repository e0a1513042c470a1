import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { AuditService } from '../audit';
import { Transactions } from '../platform/database';
import { platformErrors } from '../platform/errors';
import { Log } from '../platform/logging';
import { csvHead, csvLine, presentMembers } from '../platform/util';
import { UserAttributesService } from '../users/attributes';
import { ExportUsersDto, idsOf } from './dto/user-input.dto';
import { exportColumns, ExportedAccount, exportedCells } from './exported-account';
import { UserDetailsService } from './user-details.service';
import { UserFiltersService } from './user-filters.service';
import { ListedUser, UserFilter, UserListRepository } from './user-list.repository';
import { positionIn } from './user-order';
import { userAdminActs } from './user-admin.acts';

const BATCH = 500;
/** The longest file. The command `export` writes all users. */
const MAX_EXPORTED = 100_000;

/** Exports users as CSV. */
@Injectable()
export class UserExportService {
  constructor(
    private readonly lists: UserListRepository,
    private readonly filters: UserFiltersService,
    private readonly details: UserDetailsService,
    private readonly attributes: UserAttributesService,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly log: Log,
  ) {}

  /**
   * Streams the users of the filter, newest first, or those with the ids. Batches follow the reader's speed and hold no
   * database connection in between. An error aborts the response, so that a partial export never looks complete.
   * Throws `validation_failed` for ids beside a filter, and for more users than a file may have.
   */
  async export(query: ExportUsersDto): Promise<Readable> {
    const { ids, ...filters } = query;
    const isFiltered = Object.keys(presentMembers(filters)).length > 0;
    if (ids !== undefined && isFiltered) throw invalid('ids', 'ids_or_filter');
    const batches = ids === undefined ? this.batches(await this.boundedFilter(query)) : this.chosen(idsOf(ids));
    const after = presentMembers({ format: 'csv', ...filters, ids: ids === undefined ? undefined : idsOf(ids) });
    await this.transactions.run(() => this.audit.record(userAdminActs.export, { after }));
    return Readable.from(this.lines(batches), { objectMode: false });
  }

  private async boundedFilter(query: ExportUsersDto): Promise<UserFilter> {
    const filter = await this.filters.read(query);
    const beyond = await this.lists.page(filter, { page: 1, pageSize: 1, limit: 1, offset: MAX_EXPORTED });
    if (beyond.length > 0) throw invalid('keyword', 'too_many_users', { max: MAX_EXPORTED });
    return filter;
  }

  private async *chosen(ids: readonly string[]): AsyncGenerator<ListedUser[]> {
    yield await this.lists.listOf(ids);
  }

  /** Ends at the longest file also if users were added since the check. */
  private async *batches(filter: UserFilter): AsyncGenerator<ListedUser[]> {
    let after: ReturnType<typeof positionIn> | undefined;
    for (let read = 0; read < MAX_EXPORTED; read += BATCH) {
      const batch = await this.lists.cursorPage(filter, { pageSize: BATCH, limit: BATCH, after });
      yield batch;
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return;
      after = positionIn(filter.sort, last);
    }
  }

  private async *lines(batches: AsyncGenerator<ListedUser[]>): AsyncGenerator<string> {
    const attributes = await this.attributes.all();
    yield csvHead(exportColumns(attributes));
    try {
      for await (const batch of batches) {
        if (batch.length === 0) continue;
        yield (await this.detailed(batch)).map((user) => csvLine(exportedCells(user, attributes))).join('');
      }
    } catch (error) {
      this.log.warn('User export failed', { err: error });
      throw error;
    }
  }

  private async detailed(users: readonly ListedUser[]): Promise<ExportedAccount[]> {
    const details = await this.details.load(
      users.map(({ id }) => id),
      null,
    );
    return users.flatMap((user, place) => {
      const known = details[place];
      return known ? [{ user, details: known }] : [];
    });
  }
}

const invalid = (field: string, code: string, params: Record<string, number> = {}): Error =>
  platformErrors.validationFailed({ fields: [{ field, code, params }] });
