import { Log, LogFields } from '../platform/logging';

export interface RecordedLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields?: LogFields;
}

/** A log that keeps its lines for the test. It does not mask secrets. */
export class RecordingLog extends Log {
  readonly lines: RecordedLine[] = [];

  debug(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'debug', message, ...(fields && { fields }) });
  }

  info(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'info', message, ...(fields && { fields }) });
  }

  warn(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'warn', message, ...(fields && { fields }) });
  }

  error(message: string, fields?: LogFields): void {
    this.lines.push({ level: 'error', message, ...(fields && { fields }) });
  }

  child(): Log {
    return this;
  }

  at(level: RecordedLine['level']): string[] {
    return this.lines.filter((line) => line.level === level).map((line) => line.message);
  }
}
