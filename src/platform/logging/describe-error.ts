import { types } from 'node:util';

export type Describe = (value: unknown, name: string) => unknown;

/** Safe members of errors. All others (values, queries) are omitted. */
const openMembers = [
  'errno',
  'syscall',
  'address',
  'port',
  'status',
  'statusCode',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
];

/**
 * `ECONNREFUSED`, `ERR_…`, SQLSTATE `23505`, or our own problem codes. Verification codes match none of these forms.
 */
const errorCode = /^(?:[A-Z][A-Z0-9_]{2,63}|[0-9A-Z]{5})$/;
const problemCode = /^[a-z][a-z_]{2,63}$/;

export function isError(value: object): value is Error {
  if (types.isNativeError(value)) return true;
  const { message, stack } = value as Partial<Error>;
  return typeof message === 'string' && typeof stack === 'string';
}

function member(error: object, name: string): unknown {
  return (error as Readonly<Record<string, unknown>>)[name];
}

function codeOf(error: Error): string | undefined {
  const code = member(error, 'code');
  if (typeof code !== 'string') return undefined;
  return errorCode.test(code) || (error.name === 'ProblemError' && problemCode.test(code)) ? code : undefined;
}

/** SQLSTATE class 22 (data exception): the server repeats the rejected value in quotes or after a colon. */
function messageOf(error: Error): string {
  const code = member(error, 'code');
  const isDataException = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
  return isDataException ? error.message.replace(/"[^]*"/, '"…"').replace(/:[^]*/, '') : error.message;
}

/** Returns only the frames: the head of a stack repeats the message, and a message may imitate frames. */
function framesOf(error: Error): string[] {
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const at = stack.indexOf(error.message);
  const afterMessage = at === -1 ? stack : stack.slice(at + error.message.length);
  return afterMessage
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 30);
}

/**
 * Describes an error for the log: type, message, frames, code, cause. Omits bound values, the statement and the
 * driver's `detail` of a database error, which contain user data, and every member not known to be safe.
 */
export function describeError(error: Error, describe: Describe): Record<string, unknown> {
  const type = describe(error.name, 'type');
  const message = describe(messageOf(error), 'message');
  const frames = framesOf(error).map((line) => `\n    ${String(describe(line.trim(), 'frame'))}`);
  const described: Record<string, unknown> = {
    type,
    message,
    stack: `${String(type)}: ${String(message)}${frames.join('')}`,
  };
  const code = codeOf(error);
  if (code !== undefined) described.code = code;
  for (const name of openMembers) {
    const value = member(error, name);
    if (value !== undefined) described[name] = describe(value, name);
  }
  if (error.cause != null) described.cause = describe(error.cause, 'cause');
  const errors = member(error, 'errors');
  if (Array.isArray(errors)) described.errors = describe(errors, 'errors');
  return described;
}
