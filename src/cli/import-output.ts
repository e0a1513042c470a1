import { ImportLine, ImportProgress, ImportTotals, needsAction } from '../import-export';
import { Terminal } from './command';
import { asLine } from './output';

const BAR_WIDTH = 30;
const grouped = new Intl.NumberFormat('en');

/** A bar, the part of the file that was read, and the number of users. */
export function progressBar({ users, bytes }: ImportProgress, size: number): string {
  const part = size > 0 ? Math.min(1, bytes / size) : 1;
  const done = Math.floor(part * BAR_WIDTH);
  return `[${'#'.repeat(done)}${'-'.repeat(BAR_WIDTH - done)}] ${Math.floor(part * 100)} %, ${grouped.format(users)} users`;
}

/** Writes the lines of an import that an operator must act upon, or all of them, and shows how far it is. */
export class ImportOutput {
  /** Lines that a dry run could not read. */
  unreadable = 0;

  /** @param size of the file in bytes */
  constructor(
    private readonly terminal: Terminal,
    private readonly size: number,
    private readonly isVerbose: boolean,
  ) {}

  readonly show = (progress: ImportProgress): void => {
    this.terminal.showStatus(progressBar(progress, this.size));
  };

  readonly write = (line: ImportLine): void => {
    if (line.why === 'not_json') this.unreadable += 1;
    if (this.isVerbose || needsAction(line)) this.writeLine(line);
  };

  writeTotals(dryRun: boolean, totals: ImportTotals): void {
    this.writeLine({ result: dryRun ? 'totals of a dry run' : 'totals', ...totals });
  }

  /** Removes the bar. */
  end(): void {
    this.terminal.showStatus('');
  }

  private writeLine(line: object): void {
    this.end();
    this.terminal.write(asLine(line));
  }
}
