import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD';

/** The `application/problem+json` body of an error. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly errors?: { field: string; code: string; detail: string }[];
  readonly params?: Record<string, unknown>;
}

export interface Answer<T = Record<string, never>> {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** Parsed JSON, or the text if it is not JSON. Undefined if the body is empty. */
  readonly body: T;
  readonly text: string;
  readonly setCookies: string[];
}

export interface SendOptions {
  readonly body?: unknown;
  /** A body that is sent without JSON encoding. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** Sent instead of the jar's cookies. */
  readonly cookie?: string;
  readonly remoteAddress?: string;
}

let addresses = 0;

/** An address that is unique in the test file, so that limits per address do not affect other tests. */
export function freshAddress(): string {
  addresses++;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** A simple browser: it keeps cookies and calls from its own address. */
export class TestClient {
  readonly jar = new Map<string, string>();
  address = freshAddress();

  constructor(private readonly app: Pick<NestFastifyApplication, 'inject'>) {}

  async send<T = Record<string, never>>(method: Method, path: string, options: SendOptions = {}): Promise<Answer<T>> {
    const response = await this.app.inject({
      method,
      url: path,
      remoteAddress: options.remoteAddress ?? '127.0.0.1',
      headers: this.headersOf(options),
      ...(options.body !== undefined && { payload: JSON.stringify(options.body) }),
      ...(options.raw !== undefined && { payload: options.raw }),
    });
    const setCookies = [response.headers['set-cookie'] ?? []].flat();
    if (options.cookie === undefined) this.keep(setCookies);
    const answer = {
      status: response.statusCode,
      headers: response.headers as Answer['headers'],
      body: parse(response.payload) as T,
      text: response.payload,
      setCookies,
    };
    this.check(answer, path);
    return answer;
  }

  get<T = Record<string, never>>(path: string, options?: SendOptions): Promise<Answer<T>> {
    return this.send<T>('GET', path, options);
  }

  post<T = Record<string, never>>(path: string, body?: unknown, options: SendOptions = {}): Promise<Answer<T>> {
    return this.send<T>('POST', path, { ...options, ...(body !== undefined && { body }) });
  }

  put<T = Record<string, never>>(path: string, body?: unknown, options: SendOptions = {}): Promise<Answer<T>> {
    return this.send<T>('PUT', path, { ...options, ...(body !== undefined && { body }) });
  }

  patch<T = Record<string, never>>(path: string, body?: unknown, options: SendOptions = {}): Promise<Answer<T>> {
    return this.send<T>('PATCH', path, { ...options, ...(body !== undefined && { body }) });
  }

  delete<T = Record<string, never>>(path: string, options?: SendOptions): Promise<Answer<T>> {
    return this.send<T>('DELETE', path, options);
  }

  /** The cookies as a header, to replay them later. */
  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Checks every response. Throws if a check fails. */
  protected check(_answer: Answer<unknown>, _path: string): void {
    // Accepts every response. Test suites can override it.
  }

  private headersOf({ cookie = this.cookie, body, headers, remoteAddress }: SendOptions): Record<string, string> {
    return {
      ...(remoteAddress === undefined && { 'x-forwarded-for': this.address }),
      ...(cookie !== '' && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
  }

  private keep(setCookies: readonly string[]): void {
    for (const line of setCookies) {
      const [pair = '', ...attributes] = line.split('; ');
      const separator = pair.indexOf('=');
      const name = pair.slice(0, separator);
      if (attributes.includes('Max-Age=0')) this.jar.delete(name);
      else this.jar.set(name, pair.slice(separator + 1));
    }
  }
}
