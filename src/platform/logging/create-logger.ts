import { hostname } from 'node:os';
import { formatWithOptions } from 'node:util';
import { ChildLoggerOptions, LogFn, Logger, LoggerOptions as PinoOptions, pino, stdTimeFunctions } from 'pino';
import { isColorSupported, prettyFactory } from 'pino-pretty';
import { isError } from './describe-error';
import { LogDestination, LogOutput } from './log-output';
import { Sanitizer } from './sanitizer';

export interface LoggerOptions {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  readonly format: 'pretty' | 'json';
  /** Default: a `LogOutput` on standard output. Keep a reference to flush it at the end. */
  readonly destination?: LogDestination;
  /** Fields that every line gets. */
  readonly everyLine?: () => Readonly<Record<string, string>>;
}

const onOneLine = { breakLength: Infinity, compact: true };

type Fields = Record<string, unknown>;

const ownNames = new Set(['level', 'time', 'msg', 'pid', 'hostname']);

/** Renames fields that collide with pino's own: most readers would use the second `time` of a line. */
function withoutOwnNames(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [ownNames.has(name) ? `_${name}` : name, value]),
  );
}

function fieldsOf(value: unknown, sanitizer: Sanitizer): Fields {
  if (typeof value !== 'object' || value === null) return {};
  const clean = sanitizer.value(value);
  if (isError(value)) return { err: clean };
  return typeof clean === 'object' ? withoutOwnNames(clean as Fields) : { value: clean };
}

function messageOf(template: unknown, values: readonly unknown[], sanitizer: Sanitizer): string {
  const isText = typeof template === 'string';
  if (isText && values.length === 0) return sanitizer.text(template);
  const clean = values.map((value) => sanitizer.value(value));
  return sanitizer.text(formatWithOptions(onOneLine, isText ? template : sanitizer.value(template), ...clean));
}

/**
 * Sanitizes every call before pino sees it, so that nothing that pino or the serializers of a child add is unsanitized.
 */
function cleanCall(sanitizer: Sanitizer): NonNullable<NonNullable<PinoOptions['hooks']>['logMethod']> {
  return function logClean(this: Logger, args: unknown[], method: LogFn): void {
    const hasFields = typeof args[0] === 'object' || args[0] === undefined;
    const [template, ...values] = hasFields ? args.slice(1) : args;
    const fields = fieldsOf(args[0], sanitizer);
    if (template == null) method.call(this, fields);
    else method.call(this, fields, messageOf(template, values, sanitizer));
  };
}

/**
 * pino has no hook for the fields of a child. Children inherit these methods, so their fields are sanitized as well.
 */
function cleanChildren(logger: Logger, sanitizer: Sanitizer): void {
  const inherited = Object.getPrototypeOf(logger) as Logger<string>;
  Object.assign(logger, {
    child(this: Logger<string>, fields: Fields, options?: ChildLoggerOptions<string>): Logger<string> {
      return inherited.child.call(this, fieldsOf(fields, sanitizer), options);
    },
    setBindings(this: Logger<string>, fields: Fields): void {
      inherited.setBindings.call(this, fieldsOf(fields, sanitizer));
    },
  });
}

function prettyOn(destination: LogDestination): LogDestination & { flushSync(): void } {
  const toStandardOutput = destination instanceof LogOutput && process.stdout.isTTY;
  const pretty = prettyFactory({
    colorize: toStandardOutput && isColorSupported,
    translateTime: false,
    ignore: 'pid,hostname',
    singleLine: true,
  });
  return {
    write: (line: string) => destination.write(pretty(line)),
    flushSync: () => {
      if (destination instanceof LogOutput) destination.flushSync();
    },
  };
}

/** Creates the pino logger of the service: UTC times, one event per line, no secrets at any level. */
export function createLogger(options: LoggerOptions): Logger {
  const output = options.destination ?? new LogOutput();
  const sanitizer = new Sanitizer(options.format);
  const pinoOptions: PinoOptions = {
    level: options.level,
    base: options.format === 'json' ? { pid: process.pid, hostname: hostname() } : undefined,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    // pino's own serializer would rebuild the error from its sanitized description.
    serializers: { err: (described: unknown) => described },
    hooks: { logMethod: cleanCall(sanitizer) },
    ...(options.everyLine && { mixin: options.everyLine }),
  };
  const logger = pino(pinoOptions, options.format === 'pretty' ? prettyOn(output) : output);
  cleanChildren(logger, sanitizer);
  if (output instanceof LogOutput) {
    output.onRecovery((lines) => {
      logger.warn({ dropped_lines: lines }, 'Log lines were dropped while the log output was blocked');
    });
  }
  return logger;
}
