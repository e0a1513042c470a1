import type { Send } from './renewing-fetch';

interface SentRequest {
  readonly url: string;
  readonly path: string;
  readonly method: string | undefined;
  readonly headers: Headers;
  readonly body: unknown;
  readonly credentials: RequestCredentials | undefined;
  readonly signal: AbortSignal | null | undefined;
  readonly cache: RequestCache | undefined;
  readonly keepalive: boolean | undefined;
}

function problem(status: number, code: string): Response {
  const body = JSON.stringify({ type: 'about:blank', title: code, status, code });
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json' } });
}

/** Fake of the service with one session, whose access token expires when a test says so. */
export class FakeService {
  readonly requests: SentRequest[] = [];
  isAlwaysExpired = false;
  private hasExpired = false;
  private errorResponse: (() => Response) | undefined;
  private refreshError: (() => Response) | undefined;
  private isRefreshLost = false;
  private nextBody: object | undefined;
  private assertions = 0;
  private held: Promise<void> | undefined;

  get refreshes(): number {
    return this.requests.filter(({ path }) => path === '/api/auth/refresh').length;
  }

  expire(): void {
    this.hasExpired = true;
  }

  /** Answers every request with this error. Without a code the body is HTML, as from a reverse proxy. */
  rejectRequests(status: number | undefined, code?: string): void {
    const answer = (): Response =>
      code === undefined ? new Response('<h1>No</h1>', { status: status ?? 0 }) : problem(status ?? 0, code);
    this.errorResponse = status === undefined ? undefined : answer;
  }

  /** Answers the next request with this body. */
  answerNext(body: object): void {
    this.nextBody = body;
  }

  rejectRefresh(status: number | undefined, code = ''): void {
    this.refreshError = status === undefined ? undefined : () => problem(status, code);
  }

  /** Makes the next refresh fail with a network error. */
  loseRefresh(): void {
    this.isRefreshLost = true;
  }

  /** Computes the next response at once, but delays it until the returned function is called. */
  holdNext(): () => void {
    let release = (): void => undefined;
    this.held = new Promise((resolve) => {
      release = resolve;
    });
    return () => {
      release();
    };
  }

  readonly send: Send = async (url, init) => {
    const { pathname: path } = url;
    const { headers, method, body, credentials, signal, cache, keepalive } = init;
    const passedOn = { method, body, credentials, signal, cache, keepalive };
    this.requests.push({ url: url.href, path, headers: new Headers(headers), ...passedOn });
    const answer = path === '/api/auth/refresh' ? this.refresh() : this.answer(path);
    const { held } = this;
    this.held = undefined;
    await held;
    return answer;
  };

  private answer(path: string): Response {
    if (this.errorResponse) return this.errorResponse();
    if (this.hasExpired || this.isAlwaysExpired) return problem(401, 'token_expired');
    const { nextBody } = this;
    this.nextBody = undefined;
    if (nextBody) return Response.json(nextBody);
    if (path !== '/api/auth/assertion') return Response.json({ username: 'ann' });
    this.assertions += 1;
    return Response.json({ assertion: `assertion-${this.assertions}`, expires_in: 60 });
  }

  private refresh(): Response {
    if (this.isRefreshLost) {
      this.isRefreshLost = false;
      throw new TypeError('connection lost');
    }
    if (this.refreshError) return this.refreshError();
    this.hasExpired = false;
    return Response.json({});
  }
}
