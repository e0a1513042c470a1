import { freshAddress } from './test-client';

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The set cookies as a header for the next call. */
  readonly cookie: string;
}

/** The connection ended before a response. */
export class BrokenConnectionError extends Error {}

const broken = (cause: unknown): never => {
  throw new BrokenConnectionError('The connection broke', { cause });
};

const pair = (line: string): string => line.split(';', 1)[0] ?? '';

/** Sends one request to a running service over a new connection. Throws `BrokenConnectionError`. */
export async function call(
  url: string,
  method: string,
  path: string,
  { body, cookie, headers }: { body?: unknown; cookie?: string; headers?: Record<string, string> } = {},
): Promise<HttpAnswer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-forwarded-for': freshAddress(),
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(cookie !== undefined && { cookie }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(broken);
  const text = await response.text().catch(broken);
  return {
    status: response.status,
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
    cookie: response.headers.getSetCookie().map(pair).join('; '),
  };
}
