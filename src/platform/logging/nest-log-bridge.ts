import { LoggerService } from '@nestjs/common';
import { StartupError } from '../config';
import { Log, LogFields } from './log';

type Level = 'debug' | 'info' | 'warn' | 'error';

const isStack = (value: unknown): boolean => typeof value === 'string' && /\n\s+at /.test(value);

/** Nest passes `(message, …, context)`, with a stack in between for errors; stacks become fields. */
function fieldsOf(parameters: readonly unknown[]): LogFields {
  const last = parameters.at(-1);
  const context = typeof last === 'string' && !isStack(last) ? last : undefined;
  const details = parameters.filter((value) => value !== undefined && value !== context && !isStack(value));
  return {
    ...(context === undefined ? {} : { context }),
    ...(parameters.some(isStack) ? { trace: parameters.find(isStack) } : {}),
    ...(details.length > 0 ? { details } : {}),
  };
}

/** Sends the log of Nest to `Log`: `NestFactory.create(…, { logger: new NestLogBridge(log) })`. */
export class NestLogBridge implements LoggerService {
  constructor(private readonly target: Log) {}

  /** Startup messages of the framework are details. */
  log(message: unknown, ...parameters: unknown[]): void {
    this.pass('debug', message, parameters);
  }

  error(message: unknown, ...parameters: unknown[]): void {
    this.pass('error', message, parameters);
  }

  fatal(message: unknown, ...parameters: unknown[]): void {
    this.pass('error', message, parameters);
  }

  warn(message: unknown, ...parameters: unknown[]): void {
    this.pass('warn', message, parameters);
  }

  debug(message: unknown, ...parameters: unknown[]): void {
    this.pass('debug', message, parameters);
  }

  verbose(message: unknown, ...parameters: unknown[]): void {
    this.pass('debug', message, parameters);
  }

  private pass(level: Level, message: unknown, parameters: readonly unknown[]): void {
    // The starting code prints this error in one line, without a stack.
    if (message instanceof StartupError) return;
    const fields = fieldsOf(parameters);
    if (message instanceof Error) this.target[level](message.message, { ...fields, err: message });
    else if (typeof message === 'string') this.target[level](message, fields);
    else this.target[level]('Framework message', { ...fields, message });
  }
}
