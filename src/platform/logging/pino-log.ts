import { Logger } from 'pino';
import { Log, LogFields } from './log';

/** `Log` on a logger of `createLogger`, which keeps secrets out. */
export class PinoLog extends Log {
  constructor(private readonly logger: Logger) {
    super();
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
    return new PinoLog(this.logger.child(fields));
  }
}
