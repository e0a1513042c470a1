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
/** The server ended the connection or takes none: shutting down, crashing, starting. */
const LOST_STATES = new Set(['57P01', '57P02', '57P03']);
/** It also ends one that is idle, alone or in a transaction, whose transaction is long, or that is one too many. */
const ENDING_STATES = new Set([...LOST_STATES, '57P05', '25P03', '25P04', '53300']);
/** SQLSTATE classes and states that mean "the database cannot serve now": 08 connection, 53 resources, 57 operator intervention, 58 system. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
const UNAVAILABLE_STATES = new Set(['55P03', '25006', '25P03', '25P04', 'EMBEDDED_BUSY']);
/** `pg`'s pool, of whoever waited for a connection in vain. */
const POOL_BUSY = 'timeout exceeded when trying to connect';
/** PgBouncer's own words: it takes no more clients, or had no server's connection for one in time. Their state is 08P01. */
const POOLER_BUSY = ['no more connections allowed', 'query_wait_timeout'];
const LOST_MESSAGES = [
  POOL_BUSY,
  'Connection terminated',
  'Client has encountered a connection error',
  'Query read timeout',
  // TypeORM, of a transaction whose connection ended between two statements.
  'Query runner already released',
  'Database connection provided by a query runner was already released',
];
const CLOSED_MESSAGES = ['Cannot use a pool after calling end', 'The embedded database is closed'];

function driverError(error: unknown): DriverError | undefined {
  if (error instanceof QueryFailedError) return error.driverError as DriverError;
  // Not by its class: Node's own errors can come from another realm, with an `Error` of its own.
  return types.isNativeError(error) ? error : undefined;
}

/** The database is out of reach, overloaded, read-only or timed out: the caller answers 503. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  if (UNAVAILABLE_STATES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return true;
  return isConnectionLost(error) || saysOneOf(cause, CLOSED_MESSAGES);
}

/** The database could not be reached, or fell silent: it did not refuse, it was not there. */
export function isConnectionLost(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  if (UNREACHABLE_CODES.has(code) || LOST_STATES.has(code) || code.startsWith('08')) return true;
  return isSocketMissing(cause) || saysOneOf(cause, LOST_MESSAGES);
}

/** After such a refusal the server hangs up. Not by its word alone, which it says in the language of `lc_messages`. */
export function endsConnection({ code = '', severity }: DatabaseError): boolean {
  return severity === 'FATAL' || ENDING_STATES.has(code) || code.startsWith('08');
}

/**
 * There was no connection to be had in time: of the pool, of a pooler before the server, of the server itself (SQLSTATE
 * 53300). So many are at work, or the database holds them all up.
 */
export function isDatabaseBusy(error: unknown): boolean {
  const cause = driverError(error);
  if (!cause) return false;
  return cause.code === '53300' || isPoolBusy(error) || saysOneOf(cause, POOLER_BUSY);
}

/** This process's own pool had none in time; of the server that says nothing. */
export function isPoolBusy(error: unknown): boolean {
  return driverError(error)?.message === POOL_BUSY;
}

/** Of a server that listens on a Unix socket; any other file that is missing says nothing of the database. */
const isSocketMissing = ({ code, syscall }: DriverError): boolean => code === 'ENOENT' && syscall === 'connect';

const saysOneOf = ({ message }: DriverError, beginnings: readonly string[]): boolean =>
  beginnings.some((beginning) => message?.startsWith(beginning) ?? false);

/** Somebody else held a lock for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return driverError(error)?.code === '55P03';
}

/** Deadlock (40P01), serialization failure (40001) or an outdated plan: the transaction was rolled back whole and may be repeated. */
export function isSerializationConflict(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '40P01' || code === '40001' || isOutdatedPlan(error);
}

/** A statement of a transaction in which an earlier one has failed (SQLSTATE 25P02), or one whose text such a one was to bring (26000). */
export function isConsequence(error: unknown): boolean {
  const code = driverError(error)?.code;
  return code === '25P02' || code === '26000';
}

/** A migration changed what a prepared statement answers (SQLSTATE 0A000). */
export function isOutdatedPlan(error: unknown): boolean {
  const cause = driverError(error);
  return cause?.code === '0A000' && (cause.message?.startsWith('cached plan must not change') ?? false);
}

/** The name of the violated unique constraint or index, if that is what failed (SQLSTATE 23505). */
export function violatedUnique(error: unknown): string | undefined {
  const cause = driverError(error);
  return cause?.code === '23505' ? cause.constraint : undefined;
}
