import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { Caller } from '../platform/context';
import { UserAttributesService } from '../users/attributes';
import { AccountImportService } from './account-import.service';
import { CsvUser, csvUsers } from './csv-users';
import { ForeignSource } from './foreign-user';
import { ImportLine, ImportTotals } from './import-report';

export interface CsvImportLine {
  readonly line: number;
  readonly report: ImportLine;
}

export interface CsvImport {
  readonly totals: ImportTotals;
  /** Users that were not simply made or unchanged, in the order of the file. */
  readonly lines: readonly CsvImportLine[];
}

/** Imports a CSV file of administrators by the rules of all imports: without passwords. */
@Injectable()
export class CsvImportService {
  constructor(
    private readonly imports: AccountImportService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * A file is one batch, so one transaction writes it. Throws `validation_failed` for a file that cannot be read,
   * `escalation_denied` or `default_role_unavailable`.
   */
  async run(caller: Caller, csv: string, isDryRun: boolean): Promise<CsvImport> {
    const attributes = (await this.attributes.all()).map(({ name }) => name);
    const users = csvUsers(csv, attributes);
    const lineOf = lineFinder(users);
    const lines: CsvImportLine[] = [];
    const print = (report: ImportLine): void => void lines.push({ line: lineOf(report), report });
    const source: ForeignSource = { name: 'csv', read: () => Readable.from(users.map(({ entry }) => entry)) };
    const order = { source, path: '', dryRun: isDryRun, withRoles: false, givesRoles: true, by: caller, print };
    const totals = await this.imports.run(order);
    return { totals, lines: lines.sort((one, other) => one.line - other.line) };
  }
}

/** Entries without an id are reported in their order. */
function lineFinder(users: readonly CsvUser[]): (report: ImportLine) => number {
  const byId = new Map<string, number>();
  const others: number[] = [];
  for (const { line, entry } of users) {
    if (entry.sourceId === undefined) others.push(line);
    else byId.set(entry.sourceId, line);
  }
  return ({ source_id: id }) => (id === null ? others.shift() : byId.get(id)) ?? 0;
}
