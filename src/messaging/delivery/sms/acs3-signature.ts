import { hmacSha256, sha256Hex } from '../../../platform/crypto';

export interface Acs3Request {
  readonly method: string;
  readonly host: string;
  readonly action: string;
  readonly version: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
  readonly date: Date;
  readonly nonce: string;
}

export interface AccessKey {
  readonly id: string;
  readonly secret: string;
}

const ALGORITHM = 'ACS3-HMAC-SHA256';

/** RFC 3986 §2.3: encodes all but unreserved characters. encodeURIComponent leaves five more. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number => (one < other ? -1 : 1);

/** The query string as it is signed and sent: sorted and encoded. */
export function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .sort(byName)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .join('&');
}

/** The headers of an Alibaba Cloud request with signature version 3. `Host` is added by the connection. */
export function acs3Headers(request: Acs3Request, { id, secret }: AccessKey): Record<string, string> {
  const { method, host, action, version, query, body, date, nonce } = request;
  const headers = {
    'x-acs-action': action,
    'x-acs-content-sha256': sha256Hex(body),
    // The service rejects milliseconds.
    'x-acs-date': `${date.toISOString().slice(0, 19)}Z`,
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
  };
  const signed = Object.entries({ host, ...headers }).sort(byName);
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const canonical = [method, '/', canonicalQuery(query), lines, names, headers['x-acs-content-sha256']].join('\n');
  const signature = hmacSha256(secret, `${ALGORITHM}\n${sha256Hex(canonical)}`).toString('hex');
  return { ...headers, authorization: `${ALGORITHM} Credential=${id},SignedHeaders=${names},Signature=${signature}` };
}
