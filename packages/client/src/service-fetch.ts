import type { CastellanClient } from './client';
import { OBSERVE, type Observed } from './events';
import type { User } from './models';
import { problemOf } from './problem';
import type { Send } from './renewing-fetch';

export interface ServiceFetchOptions {
  /** URL of the other service. Paths are relative to it, and no other origin receives an assertion. */
  readonly baseUrl: string;
  /** The resource of the service: `urn:castellan:billing`. */
  readonly audience: string;
  /** Replaces `fetch` for requests to the service. */
  readonly fetch?: Send;
}

/** As `fetch`, for paths of one service. */
export type ServiceFetch = (path: string, init?: RequestInit) => Promise<Response>;

interface Assertion {
  readonly value: string;
  /** By `performance.now()`. */
  readonly until: number;
}

/** An assertion is replaced early, so that it does not expire on its way. */
const EARLY_MS = 10_000;
/** With these codes the guard of a service rejects an assertion, before the service acts. */
const REJECTED_CODES = new Set(['unauthenticated', 'token_expired', 'session_revoked']);
/** After these another user may be logged in. */
const CHANGES_USER = /^\/api\/auth\/(?:login|logout)(?:\/|$)/;
const ACCOUNT = '/api/auth/me';

/** Whose session it is, and who acts in it. */
const identityOf = ({ id, actor }: Pick<User, 'id' | 'actor'>): string => `${id} ${actor?.id ?? ''}`;

/** Castellan issues no assertion. */
class NoAssertionError extends Error {
  constructor(
    readonly body: unknown,
    readonly status: number,
  ) {
    super(`Castellan issued no assertion: ${status}`);
  }
}

/** Keeps one assertion at a time. Concurrent calls share one exchange. */
class Assertions {
  private held: Assertion | undefined;
  private pending: Promise<Assertion> | undefined;
  /** As last seen; undefined: not known. */
  private identity: string | undefined;

  constructor(
    private readonly castellan: CastellanClient,
    private readonly audience: string,
  ) {
    castellan.use({
      onResponse: async ({ request, response }) => {
        const { pathname } = new URL(request.url);
        if (CHANGES_USER.test(pathname)) this.dropAny();
        if (request.method === 'GET' && pathname === ACCOUNT && response.ok) this.see(await accountOf(response));
      },
    });
    (castellan as Partial<Observed>)[OBSERVE]?.((name, event) => {
      if ('user' in event) this.see(event.user);
      else if (name !== 'refresh') this.dropAny();
    });
  }

  /** Throws a `NoAssertionError`, or the error of `fetch`. */
  async get(): Promise<Assertion> {
    if (this.held && performance.now() < this.held.until) return this.held;
    const pending = (this.pending ??= this.exchange());
    try {
      const assertion = await pending;
      // Otherwise the user has changed meanwhile.
      if (this.pending === pending) this.held = assertion;
      return assertion;
    } finally {
      if (this.pending === pending) this.pending = undefined;
    }
  }

  /** Without an account, the session is unknown. */
  private see(user: User | undefined): void {
    const identity = user && identityOf(user);
    if (identity === undefined || this.identity !== identity) this.dropAny();
    this.identity = identity;
  }

  /** Also one that is on its way. */
  private dropAny(): void {
    this.held = this.pending = this.identity = undefined;
  }

  /** Call it after the service rejected the assertion. */
  drop(rejected: Assertion): void {
    if (this.held === rejected) this.held = undefined;
  }

  private async exchange(): Promise<Assertion> {
    const from = performance.now();
    const body = { audience: this.audience };
    const { data, error, response } = await this.castellan.POST('/api/auth/assertion', { body });
    if (!data) throw new NoAssertionError(error, response.status);
    return { value: data.assertion, until: from + data.expires_in * 1_000 - EARLY_MS };
  }
}

/**
 * Returns a `fetch` for another service with Castellan's guard. It exchanges the session for an assertion, which only
 * that service accepts, for 60 seconds, and sends it as bearer token, without cookies. If Castellan issues none, returns
 * Castellan's error response. Create one for a service and keep it.
 */
export function createServiceFetch(castellan: CastellanClient, options: ServiceFetchOptions): ServiceFetch {
  const { baseUrl, audience, fetch: send = (url, init) => fetch(url, init) } = options;
  const assertions = new Assertions(castellan, audience);
  const attempt = async (url: URL, init: RequestInit): Promise<[Response, Assertion]> => {
    const assertion = await assertions.get();
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${assertion.value}`);
    return [await send(url, { ...init, headers, credentials: 'omit' }), assertion];
  };
  return async (path, init = {}) => {
    const url = urlOf(path, baseUrl);
    try {
      const [response, assertion] = await attempt(url, init);
      if (!(await isRejection(response))) return response;
      assertions.drop(assertion);
      // A stream can be sent only once.
      if (init.body instanceof ReadableStream) return response;
      return (await attempt(url, init))[0];
    } catch (error) {
      if (error instanceof NoAssertionError) return responseOf(error);
      throw error;
    }
  };
}

/** Undefined if the body is none, as from a reverse proxy. */
const accountOf = (response: Response): Promise<User | undefined> =>
  response
    .clone()
    .json()
    .then((body) => body as User)
    .catch(() => undefined);

function urlOf(path: string, baseUrl: string): URL {
  const url = new URL(path, baseUrl);
  if (url.origin !== new URL(baseUrl).origin) throw new TypeError(`${url.origin} is not the service at ${baseUrl}`);
  return url;
}

async function isRejection(response: Response): Promise<boolean> {
  return response.status === 401 && REJECTED_CODES.has((await problemOf(response))?.code ?? '');
}

const responseOf = ({ body, status }: NoAssertionError): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json' } });
