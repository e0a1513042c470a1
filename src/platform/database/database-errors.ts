import { types } from 'node:util';
import type { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

interface DriverError {
  readonly code?: string;
  readonly constraint?: string;
  readonly message?: string;
  readonly syscall?: string;
}

const UNREACHABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** The server ended the connection or accepts none: shutdown, crash, startup. */
const LOST_STATES = new Set(['57P01', '57P02', '57P03']);
/** The server also ends connections on the idle, transaction and connection limits. */
const ENDING_STATES = new Set([...LOST_STATES, '57P05', '25P03', '25P04', '53300']);
/** SQLSTATE classes of an unavailable database: 08 connection, 53 resources, 57 operator intervention, 58 system. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
const UNAVAILABLE_STATES = new Set(['55P03', '25006', '25P03', '25P04', 'EMBEDDED_BUSY']);
/** Message of `pg`'s pool when a caller waited too long for a connection. */
const POOL_BUSY = 'timeout exceeded when trying to connect';
/** Messages of PgBouncer, with state 08P01: too many clients, or no server connection in time. */
const POOLER_BUSY = ['no more connections allowed', 'query_wait_timeout'];
const LOST_MESSAGES = [
  POOL_BUSY,
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  // TypeORM, when the connection of a transaction ended between two statements.
  'Query runner already released',
  'Database connection provided by a query runner was already released',
];
const CLOSED_MESSAGES = ['Cannot use a pool after calling end', 'The embedded database is closed'];

function driverError(error: unknown): DriverError | undefined {
  if (error instanceof QueryFailedError) return error.driverError as DriverError;
  // Not `instanceof Error`: an error of Node may come from another realm.
  return types.isNativeError(error) ? error : undefined;
}

/** The database is unreachable, overloaded, read-only or timed out: the response is 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  if (UNAVAILABLE_STATES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return true;
  return isConnectionLost(error) || saysOneOf(cause, CLOSED_MESSAGES);
}

/** The database was unreachable or silent: a failed connection, not an error reply. */
export function isConnectionLost(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  if (UNREACHABLE_CODES.has(code) || LOST_STATES.has(code) || code.startsWith('08')) return true;
  return isSocketMissing(cause) || saysOneOf(cause, LOST_MESSAGES);
}

/**
 * Whether the server closes the connection after this error. `severity` alone is not enough: the server localizes it
 * (`lc_messages`).
 */
export function endsConnection({ code = '', severity }: DatabaseError): boolean {
  return severity === 'FATAL' || ENDING_STATES.has(code) || code.startsWith('08');
}

/**
 * No connection was free in time: in our pool, in a pooler, or on the server (SQLSTATE 53300). Either the load is high
 * or the database is slow.
 */
export function isDatabaseBusy(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  return cause.code === '53300' || isPoolBusy(error) || saysOneOf(cause, POOLER_BUSY);
}

/** No connection of our own pool was free in time, which does not show whether the server is reachable. */
export function isPoolBusy(error: unknown): boolean {
  return driverError(error)?.message === POOL_BUSY;
}

/** The Unix socket of the server is missing; other missing files do not concern the database. */
const isSocketMissing = ({ code, syscall }: DriverError): boolean => code === 'ENOENT' && syscall === 'connect';

const saysOneOf = ({ message }: DriverError, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => message?.startsWith(beginning) ?? false);

/**
 * The role may not do this (SQLSTATE 42501), or may use no schema of its search path, so that it could create nothing
 * (3F000).
 */
export function isRightMissing(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '42501' || code === '3F000';
}

/** Another transaction held a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error)?.code === '55P03';
}

/**
 * Deadlock (40P01), serialization failure (40001) or an outdated plan: the transaction was rolled back and can be
 * repeated.
 */
export function isSerializationConflict(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '40P01' || code === '40001' || isOutdatedPlan(error);
}

/**
 * A follow-up error: the transaction has already failed (SQLSTATE 25P02), or the failed statement should have prepared
 * this one (26000).
 */
export function isConsequence(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '25P02' || code === '26000';
}

/** A migration changed the result type of a prepared statement (SQLSTATE 0A000). */
export function isOutdatedPlan(error: unknown): boolean {
  const cause = driverError(error);
  return cause?.code === '0A000' && (cause.message?.startsWith('cached plan must not change') ?? false);
}

/** Whether a row is missing that another one refers to, or would be (SQLSTATE 23503). */
export const isForeignKeyViolated = (error: unknown): boolean => driverError(error)?.code === '23503';

/** Returns the name of the violated unique constraint or index (SQLSTATE 23505), else undefined. */
export function violatedUnique(error: unknown): string | undefined {
  const cause = driverError(error);
  return cause?.code === '23505' ? cause.constraint : undefined;
}
