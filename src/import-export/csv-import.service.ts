import { Injectable } from '@nestjs/common';
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
    const lines: CsvImportLine[] = [];
    let read = 0;
    const source: ForeignSource = {
      name: 'csv',
      async *read() {
        for (const { entry } of users) {
          read += 1;
          yield await Promise.resolve(entry);
        }
      },
    };
    const print = (report: ImportLine): void => void lines.push({ line: lineOf(users, report, read), report });
    const totals = await this.imports.run({ source, path: '', dryRun: isDryRun, withRoles: false, print });
    return { totals, lines: lines.sort((one, other) => one.line - other.line) };
  }
}

/** Entries without an id are reported as they are read, others after the batch. */
const lineOf = (users: readonly CsvUser[], { source_id: id }: ImportLine, read: number): number =>
  (id === null ? users[read - 1] : users.find(({ entry }) => entry.sourceId === id))?.line ?? 0;
