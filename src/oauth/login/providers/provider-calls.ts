import { OutboundClient, OutboundAnswer, OutboundError, OutboundRequest } from '../../../platform/outbound';
import { isJsonObject, membersOf, parseForeignJson } from '../../../platform/util';
import { ProviderFailure } from './provider-failure';

export type Claims = Readonly<Record<string, unknown>>;

/** Some providers reject requests without a user agent. */
const IDENTITY = { accept: 'application/json', 'user-agent': 'castellan' };

export function parseClaims(text: string, step: string): Claims {
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch {
    throw new ProviderFailure(`${step}: not JSON`);
  }
  if (!isJsonObject(value)) throw new ProviderFailure(`${step}: not a JSON object`);
  return value;
}

/** A member that must be a non-empty text. */
export function textOf(claims: Claims, name: string, step: string): string {
  const value = claims[name];
  if (typeof value !== 'string' || value === '') throw new ProviderFailure(`${step}: ${name} is missing`);
  return value;
}

/** Values of a member `error` without an error, which some providers always send. */
const NO_ERROR: ReadonlySet<unknown> = new Set([undefined, null, '', false]);

/** Rejects a token response with status 200 that states an error, as GitHub and others send. */
export function rejectStatedError({ error }: Claims): void {
  if (!NO_ERROR.has(error)) throw new ProviderFailure('token', { code: error });
}

/** The member as an object. Empty if it is not an object. */
export function claimsIn(claims: Claims, name: string): Claims {
  return membersOf(claims[name]);
}

export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Calls to a provider with the limits of `OutboundClient`. Errors: `ProviderFailure` with the name of the step. */
export class ProviderCalls {
  /** @param outbound enforces the limits. Tests replace it. */
  constructor(private readonly outbound: Pick<OutboundClient, 'call'>) {}

  /** The JSON object of a 2xx response. */
  get(step: string, url: string, headers: Readonly<Record<string, string>> = {}): Promise<Claims> {
    return this.json(step, { url, method: 'GET', headers });
  }

  async postForm(step: string, url: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Claims> {
    const { text } = await this.sendForm(step, url, fields, headers);
    return parseClaims(text, step);
  }

  /** A 2xx response of any media type. */
  sendForm(
    step: string,
    url: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<OutboundAnswer> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(fields).toString();
    return this.succeed(step, { url, method: 'POST', headers: { ...type, ...headers }, body });
  }

  postJson(step: string, url: string, fields: object): Promise<Claims> {
    const headers = { 'content-type': 'application/json' };
    return this.json(step, { url, method: 'POST', headers, body: JSON.stringify(fields) });
  }

  /** The text of a 2xx response. */
  async text(step: string, request: OutboundRequest): Promise<string> {
    return (await this.succeed(step, request)).text;
  }

  /** A 2xx response. */
  async succeed(step: string, request: OutboundRequest): Promise<OutboundAnswer> {
    const answer = await this.send(step, request);
    const { status, text } = answer;
    if (status >= 200 && status < 300) return answer;
    throw new ProviderFailure(`${step}: status ${status}`, {
      code: errorCodeIn(text),
      status,
      rejected: status >= 400 && status < 500,
    });
  }

  /** A response with any status. */
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

/** The members in which providers send error codes. */
function errorCodeIn(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? (body['error'] ?? body['errcode'] ?? body['code']) : undefined;
  } catch {
    return undefined;
  }
}
