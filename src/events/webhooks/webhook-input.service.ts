import { Injectable } from '@nestjs/common';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { OutboundClient } from '../../platform/outbound';
import { WebhookHeaders } from './webhook-secrets.service';
import type { WebhookFormat } from './webhook.entity';

const MAX_HEADERS = 10;
const MAX_VALUE = 1_000;
// RFC 9110 §5.6.2, in lower case.
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,64}$/;
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** Set by the service, or by the connection. */
const RESERVED =
  /^(?:webhook-.*|content-.*|host|user-agent|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|accept-encoding)$/;

export interface WebhookInput {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
}

interface Stored {
  readonly url: string;
  /** Undefined: they cannot be decrypted. */
  readonly headers: WebhookHeaders | undefined;
}

/** Checks the address and the headers of webhooks. */
@Injectable()
export class WebhookInputService {
  constructor(private readonly outbound: OutboundClient) {}

  /**
   * Errors: `validation_failed` for an address that must not be called. Resolves its name, so call it outside a
   * transaction.
   */
  async checkUrl(url: string | undefined): Promise<void> {
    const code = url === undefined ? undefined : await this.outbound.check(url);
    reject(code === undefined ? [] : [{ field: 'url', code }]);
  }

  /** Only tokens have an audience, and all of them have one. Errors: `validation_failed`. */
  checkAudience(format: WebhookFormat, audience: string | null): void {
    if ((format === 'caep') === (audience !== null)) return;
    reject([{ field: 'audience', code: audience === null ? 'required' : 'unknown_field' }]);
  }

  /** The headers of a new webhook. Errors: `validation_failed`. */
  headersOf({ headers = {} }: WebhookInput): WebhookHeaders {
    return readHeaders(headers, {});
  }

  /**
   * The headers after the change; undefined: the stored ones stay. A stored value is never sent to another host than the
   * one it was stored for. Errors: `validation_failed`.
   */
  headersAfter({ url, headers }: WebhookInput, stored: Stored): WebhookHeaders | undefined {
    const hasMoved = isMoved(url, stored);
    if (headers) return readHeaders(headers, hasMoved ? {} : (stored.headers ?? {}));
    if (!hasMoved) return undefined;
    if (!stored.headers) throw platformErrors.validationFailed({ fields: [{ field: 'headers', code: 'required' }] });
    return readHeaders(Object.fromEntries(Object.keys(stored.headers).map((name) => [name, null])), {});
  }
}

function readHeaders(given: Readonly<Record<string, unknown>>, kept: WebhookHeaders): WebhookHeaders {
  const entries = Object.entries(given).map(([name, value]) => {
    const key = name.toLowerCase();
    return { name: key, value: value === null ? kept[key] : value, field: `headers.${name}` };
  });
  const names = new Set(entries.map(({ name }) => name));
  reject([
    ...(entries.length > MAX_HEADERS ? [{ field: 'headers', code: 'max_items', params: { max: MAX_HEADERS } }] : []),
    ...(names.size < entries.length ? [{ field: 'headers', code: 'unique' }] : []),
    ...entries.flatMap((entry) => problemOf(entry)),
  ]);
  return Object.fromEntries(entries.flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value]] : [])));
}

function problemOf({ name, value, field }: { name: string; value: unknown; field: string }): FieldProblem[] {
  if (!NAME.test(name) || RESERVED.test(name)) return [{ field, code: 'header_name' }];
  if (value === undefined) return [{ field, code: 'required' }];
  const isValue = typeof value === 'string' && value.length <= MAX_VALUE && VALUE.test(value);
  return isValue ? [] : [{ field, code: 'header_value' }];
}

const isMoved = (url: string | undefined, stored: Stored): boolean =>
  url !== undefined && originOf(url) !== originOf(stored.url);

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

function reject(fields: FieldProblem[]): void {
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}
