import type { NestFastifyApplication } from '@nestjs/platform-fastify';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD';

/** `application/problem+json`, as every refusal is. */
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
  /** Parsed JSON; the text itself where it is none; undefined when empty. */
  readonly body: T;
  readonly text: string;
  readonly setCookies: string[];
}

export interface SendOptions {
  readonly body?: unknown;
  /** A body that is not to be JSON-encoded. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
  /** Sent instead of the jar. */
  readonly cookie?: string;
  readonly remoteAddress?: string;
}

let addresses = 0;

/** An address nobody else in the test file has, so that limits per address do not meet. */
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

/** A browser of sorts: it keeps cookies and calls from an address of its own. */
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

  /** The cookies as a header, to be replayed later. */
  get cookie(): string {
    return [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** What is to hold for every answer; throws where it does not. */
  protected check(_answer: Answer<unknown>, _path: string): void {
    // Any answer will do, unless a test suite says more.
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
