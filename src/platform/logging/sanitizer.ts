import { types } from 'node:util';
import { describeError, isError } from './describe-error';
import { maskSecrets, redacted, showControls } from './safe-text';
import { isSecretName } from './secret-names';

const MAX_DEPTH = 8;
const MAX_MEMBERS = 200;

interface Walk {
  readonly ancestors: readonly object[];
  /** Remaining members of the whole line, whatever its shape. */
  left: { members: number };
}

type Members = Readonly<Record<string, unknown>>;

function read(value: object, name: string): unknown {
  try {
    return (value as Members)[name];
  } catch {
    return '[unreadable]';
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Requests and responses of Node and Fastify hold sockets and the server, so only a few members are logged. */
function messageMembers(value: object): Members | undefined {
  if (isPlain(value)) return undefined;
  const text = (name: string): boolean => typeof read(value, name) === 'string';
  if (text('method') && text('url') && typeof read(value, 'headers') === 'object') {
    return {
      id: read(value, 'id'),
      method: read(value, 'method'),
      url: read(value, 'url'),
      headers: read(value, 'headers'),
    };
  }
  const isReply = typeof read(value, 'statusCode') === 'number' && typeof read(value, 'getHeaders') === 'function';
  return isReply ? { statusCode: read(value, 'statusCode') } : undefined;
}

/** Converts pairs (Map, Headers, URLSearchParams) to objects, so that their keys are checked as names. */
function pairs(value: object): Members | undefined {
  if (!(types.isMap(value) || value instanceof Headers || value instanceof URLSearchParams)) return undefined;
  return Object.fromEntries([...(value as Iterable<[unknown, unknown]>)].map(([name, held]) => [String(name), held]));
}

const namingMembers = ['name', 'key', 'header', 'field', 'variable'];

/** `{ name: 'cookie', value: … }`: the name decides whether the value is secret. */
function namesSecret(value: object): boolean {
  return namingMembers.some((name) => {
    const named = read(value, name);
    return typeof named === 'string' && isSecretName(named);
  });
}

/**
 * Sanitizes any value for a log line: secrets masked, control characters escaped, no cycles, bounded size, JSON only.
 */
export class Sanitizer {
  constructor(private readonly format: 'json' | 'pretty') {}

  text(value: string): string {
    return showControls(maskSecrets(value), this.format);
  }

  value(value: unknown): unknown {
    return this.walk(value, '', { ancestors: [], left: { members: MAX_MEMBERS } });
  }

  private walk(value: unknown, name: string, walk: Walk): unknown {
    if (value === null || typeof value === 'boolean') return value;
    if (isSecretName(name) && value !== undefined) return redacted;
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return String(value);
      case 'object':
        return this.object(value, walk);
      default:
        return undefined;
    }
  }

  private object(value: object, walk: Walk): unknown {
    if (walk.ancestors.includes(value)) return '[circular]';
    if (walk.ancestors.length >= MAX_DEPTH) return '[too deep]';
    const inside = { ...walk, ancestors: [...walk.ancestors, value] };
    if (isError(value)) return describeError(value, (part, name) => this.walk(part, name, inside));
    if (Array.isArray(value)) return this.list(value, inside);
    if (types.isSet(value)) return this.list([...value], inside);
    return this.scalar(value) ?? this.members(messageMembers(value) ?? pairs(value) ?? value, inside);
  }

  private scalar(value: object): string | undefined {
    if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return `[${value.byteLength} bytes]`;
    if (types.isDate(value)) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    return value instanceof URL ? this.text(value.href) : undefined;
  }

  private list(values: readonly unknown[], walk: Walk): unknown[] {
    const [first, second] = values;
    // A header as a pair: [name, value].
    if (values.length === 2 && typeof first === 'string' && isSecretName(first) && second !== null) {
      return [this.text(first), redacted];
    }
    const shown: unknown[] = [];
    for (const value of values) {
      if (walk.left.members-- <= 0) break;
      shown.push(this.walk(value, '', walk) ?? null);
    }
    if (shown.length < values.length) shown.push(`[${values.length - shown.length} more]`);
    return shown;
  }

  private members(value: object, walk: Walk): Record<string, unknown> {
    const shown: [string, unknown][] = [];
    const hidesValue = namesSecret(value);
    for (const name of Object.keys(value)) {
      if (walk.left.members-- <= 0) break;
      const held = hidesValue && name === 'value' ? redacted : this.walk(read(value, name), name, walk);
      if (held !== undefined) shown.push([this.text(name), held]);
    }
    // fromEntries defines members, so `__proto__` is an ordinary one.
    return Object.fromEntries(shown);
  }
}
