import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
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

/** Imports a CSV file of administrators by the rules of all imports: without passwords, and with the default role only. */
@Injectable()
export class CsvImportService {
  constructor(private readonly imports: AccountImportService) {}

  /** Throws `validation_failed` for a file that cannot be read. A file is one batch, so one transaction writes it. */
  async run(csv: string, isDryRun: boolean): Promise<CsvImport> {
    const users = csvUsers(csv);
    const lineOf = lineFinder(users);
    const lines: CsvImportLine[] = [];
    const print = (report: ImportLine): void => void lines.push({ line: lineOf(report), report });
    const source: ForeignSource = { name: 'csv', read: () => Readable.from(users.map(({ entry }) => entry)) };
    const totals = await this.imports.run({ source, path: '', dryRun: isDryRun, withRoles: false, print });
    return { totals, lines: lines.sort((one, other) => one.line - other.line) };
  }
}

/** Entries without an id are reported in their order. Of several lines with one id, only the first is reported. */
function lineFinder(users: readonly CsvUser[]): (report: ImportLine) => number {
  const byId = new Map<string, number>();
  const others: number[] = [];
  for (const { line, entry } of users) {
    if (entry.sourceId === undefined) others.push(line);
    else if (!byId.has(entry.sourceId)) byId.set(entry.sourceId, line);
  }
  return ({ source_id: id }) => (id === null ? others.shift() : byId.get(id)) ?? 0;
}
