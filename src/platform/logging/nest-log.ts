import { Logger } from '@nestjs/common';
import { Log, LogFields } from './log';
import { Sanitizer } from './sanitizer';

/** Of messages, which become part of a line as they are. */
const texts = new Sanitizer('pretty');
/** Of fields, which are printed as JSON. */
const members = new Sanitizer('json');

type Level = 'debug' | 'log' | 'warn' | 'error';

/**
 * Writes to the logger of the application, which `app.useLogger` sets: `IdentityModule.forRoot({ log: new NestLog() })`. Each
 * line has the fields as JSON after the message, without secrets; errors have their stack.
 */
export class NestLog extends Log {
  private readonly logger: Logger;

  /** @param context shown by the logger, as of Nest's `new Logger(context)`. */
  constructor(
    private readonly context = 'Castellan',
    private readonly fields: LogFields = {},
  ) {
    super();
    this.logger = new Logger(context);
  }

  debug(message: string, fields?: LogFields): void {
    this.pass('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.pass('log', message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.pass('warn', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.pass('error', message, fields);
  }

  child(fields: LogFields): Log {
    return new NestLog(this.context, { ...this.fields, ...fields });
  }

  private pass(level: Level, message: string, fields: LogFields = {}): void {
    const { stack, shown } = split({ ...this.fields, ...fields }, level);
    const tail = Object.keys(shown).length === 0 ? '' : ` ${JSON.stringify(shown)}`;
    const line = texts.text(message) + tail;
    if (stack === undefined) this.logger[level](line);
    else this.logger.error(line, stack);
  }
}

/** The fields without secrets. At level `error`, Nest has a parameter for the stack of the error. */
function split(fields: LogFields, level: Level): { readonly shown: LogFields; readonly stack?: unknown } {
  const shown = members.value(fields) as LogFields;
  const { err } = shown;
  if (level !== 'error' || typeof err !== 'object' || err === null || !('stack' in err)) return { shown };
  const { stack, ...rest } = err;
  return { shown: { ...shown, err: rest }, stack };
}
