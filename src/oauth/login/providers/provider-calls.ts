import { OutboundClient, OutboundAnswer, OutboundError, OutboundRequest } from '../../../platform/outbound';
import { isJsonObject, membersOf } from '../../../platform/text';
import { ProviderFailure } from './provider-failure';

export type Claims = Readonly<Record<string, unknown>>;

/** Some providers refuse a request that does not say who asks. */
const IDENTITY = { accept: 'application/json', 'user-agent': 'castellan' };

export function parseClaims(text: string, step: string): Claims {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProviderFailure(`${step}: no JSON`);
  }
  if (!isJsonObject(value)) throw new ProviderFailure(`${step}: no JSON object`);
  return value;
}

/** A member that must be a text with something in it. */
export function textOf(claims: Claims, name: string, step: string): string {
  const value = claims[name];
  if (typeof value !== 'string' || value === '') throw new ProviderFailure(`${step}: ${name} is missing`);
  return value;
}

/** The member as an object; an empty one where it is none. */
export function claimsIn(claims: Claims, name: string): Claims {
  return membersOf(claims[name]);
}

export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Calls to a provider, each with the limits of `OutboundClient`. Errors: `ProviderFailure`, naming the step. */
export class ProviderCalls {
  /** @param outbound what keeps the limits; a test's answers by itself. */
  constructor(private readonly outbound: Pick<OutboundClient, 'call'>) {}

  /** A JSON object of a 2xx answer. */
  get(step: string, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Claims> {
    return this.json(step, { url, method: 'GET', headers });
  }

  postForm(step: string, url: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Claims> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(fields).toString();
    return this.json(step, { url, method: 'POST', headers: { ...type, ...headers }, body });
  }

  postJson(step: string, url: string, fields: object): Promise<Claims> {
    const headers = { 'content-type': 'application/json' };
    return this.json(step, { url, method: 'POST', headers, body: JSON.stringify(fields) });
  }

  /** The text of a 2xx answer. */
  async text(step: string, request: OutboundRequest): Promise<string> {
    const { status, text } = await this.send(step, request);
    if (status >= 200 && status < 300) return text;
    throw new ProviderFailure(`${step}: status ${status}`, {
      code: errorCodeIn(text),
      refused: status >= 400 && status < 500,
    });
  }

  /** Any answer that came whole. */
  async send(step: string, request: OutboundRequest): Promise<OutboundAnswer> {
    try {
      return await this.outbound.call({ ...request, headers: { ...IDENTITY, ...request.headers } });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new ProviderFailure(`${step}: ${error.reason}`);
    }
  }

  private async json(step: string, request: OutboundRequest): Promise<Claims> {
    return parseClaims(await this.text(step, request), step);
  }
}

/** What providers call their error codes. */
function errorCodeIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? (body['error'] ?? body['errcode'] ?? body['code']) : undefined;
  } catch {
    return undefined;
  }
}
