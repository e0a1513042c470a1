import { hmacSha256, sha256Hex } from '../../../platform/crypto';
import type { AccessKey } from './acs3-signature';

export interface Tc3Request {
  readonly host: string;
  readonly service: string;
  readonly action: string;
  readonly version: string;
  readonly region: string;
  readonly body: string;
  readonly date: Date;
}

const ALGORITHM = 'TC3-HMAC-SHA256';
const CONTENT_TYPE = 'application/json; charset=utf-8';
const SIGNED = 'content-type;host;x-tc-action';

/** The headers of a Tencent Cloud JSON request with the signature of API 3.0. `Host` is added by the connection. */
export function tc3Headers(request: Tc3Request, { id, secret }: AccessKey): Record<string, string> {
  const { host, service, action, version, region, body, date } = request;
  const timestamp = String(Math.floor(date.getTime() / 1_000));
  const day = date.toISOString().slice(0, 10);
  const headers = `content-type:${CONTENT_TYPE}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`;
  const canonical = ['POST', '/', '', headers, SIGNED, sha256Hex(body)].join('\n');
  const scope = `${day}/${service}/tc3_request`;
  const key = [day, service, 'tc3_request'].reduce<string | Buffer>(hmacSha256, `TC3${secret}`);
  const signature = hmacSha256(key, [ALGORITHM, timestamp, scope, sha256Hex(canonical)].join('\n')).toString('hex');
  return {
    'content-type': CONTENT_TYPE,
    'x-tc-action': action,
    'x-tc-version': version,
    'x-tc-timestamp': timestamp,
    'x-tc-region': region,
    authorization: `${ALGORITHM} Credential=${id}/${scope}, SignedHeaders=${SIGNED}, Signature=${signature}`,
  };
}
