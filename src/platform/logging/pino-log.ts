import { Logger } from 'pino';
import { Log, LogFields } from './log';
import type { LogOutput } from './log-output';

/** `Log` on a logger of `createLogger`, which keeps secrets out. */
export class PinoLog extends Log {
  /** @param output what the logger writes to, where it counts the lines it lost */
  constructor(
    private readonly logger: Logger,
    private readonly output?: LogOutput,
  ) {
    super();
  }

  override get droppedLines(): number {
    return this.output?.dropped ?? 0;
  }

  debug(message: string, fields: LogFields = {}): void {
    this.logger.debug(fields, message);
  }

  info(message: string, fields: LogFields = {}): void {
    this.logger.info(fields, message);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.logger.warn(fields, message);
  }

  error(message: string, fields: LogFields = {}): void {
    this.logger.error(fields, message);
  }

  child(fields: LogFields): Log {
    return new PinoLog(this.logger.child(fields), this.output);
  }
}
