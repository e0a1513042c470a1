import type { Send } from './renewing-fetch';

interface SentRequest {
  readonly url: string;
  readonly path: string;
  readonly method: string | undefined;
  readonly headers: Headers;
  readonly body: unknown;
  readonly credentials: RequestCredentials | undefined;
  readonly signal: AbortSignal | null | undefined;
}

function problem(status: number, code: string): Response {
  const body = JSON.stringify({ type: 'about:blank', title: code, status, code });
  return new Response(body, { status, headers: { 'content-type': 'application/problem+json' } });
}

/** Stands in for the service in tests: one session, whose access token ends when a test says so. */
export class FakeService {
  readonly requests: SentRequest[] = [];
  isAlwaysExpired = false;
  private hasExpired = false;
  private refusal: (() => Response) | undefined;
  private refreshRefusal: (() => Response) | undefined;
  private isRefreshLost = false;
  private held: Promise<void> | undefined;

  get refreshes(): number {
    return this.requests.filter(({ path }) => path === '/api/auth/refresh').length;
  }

  expire(): void {
    this.hasExpired = true;
  }

  /** Every call is answered so; without a code as a proxy would. */
  refuse(status: number | undefined, code?: string): void {
    const answer = (): Response =>
      code === undefined ? new Response('<h1>No</h1>', { status: status ?? 0 }) : problem(status ?? 0, code);
    this.refusal = status === undefined ? undefined : answer;
  }

  refuseRefresh(status: number | undefined, code = ''): void {
    this.refreshRefusal = status === undefined ? undefined : () => problem(status, code);
  }

  /** The next refresh is never answered. */
  loseRefresh(): void {
    this.isRefreshLost = true;
  }

  /** Judges the next request at once, and keeps its answer until released. */
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
    const { method, headers, body, credentials, signal } = init;
    this.requests.push({ url: url.href, path, method, headers: new Headers(headers), body, credentials, signal });
    const answer = path === '/api/auth/refresh' ? this.refresh() : this.answer();
    const { held } = this;
    this.held = undefined;
    await held;
    return answer;
  };

  private answer(): Response {
    if (this.refusal) return this.refusal();
    if (this.hasExpired || this.isAlwaysExpired) return problem(401, 'token_expired');
    return Response.json({ username: 'ann' });
  }

  private refresh(): Response {
    if (this.isRefreshLost) {
      this.isRefreshLost = false;
      throw new TypeError('connection lost');
    }
    if (this.refreshRefusal) return this.refreshRefusal();
    this.hasExpired = false;
    return Response.json({});
  }
}
