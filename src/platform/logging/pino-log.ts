import { Logger } from 'pino';
import { Log, LogFields } from './log';
import type { LogOutput } from './log-output';

/** `Log` on a logger of `createLogger`, which removes secrets. */
export class PinoLog extends Log {
  /** @param output destination of the logger, which counts lost lines. */
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
