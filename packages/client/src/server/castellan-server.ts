import type { Pending, User } from '../models';
import { type Problem, problemOf } from '../problem';
import type { Send } from '../renewing-fetch';
import { afterResponse, type Cookie, readCookies, writeCookies } from './cookie-header';

/** A request of a browser: a Web `Request`, or that of Express, Fastify or Node.js. */
export interface BrowserRequest {
  /** Without it, the request counts as one that changes something. */
  readonly method?: string | undefined;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface CastellanServerOptions<R extends BrowserRequest = BrowserRequest> {
  /** URL of the service as browsers use it. Its scheme decides the names of the cookies. */
  readonly baseUrl: string;
  /** Replaces `fetch`. */
  readonly fetch?: Send;
  /**
   * Setting `jwt.cookie_prefix` of the service, where it was changed; a list while cookies of a former one are in use. The
   * service receives no other cookies.
   */
  readonly cookiePrefix?: string | readonly string[];
  /**
   * Address of the user, sent as `X-Forwarded-For`. The service believes it if this server is in its `TRUSTED_PROXIES`;
   * otherwise the list of sessions shows the address of this server after a refresh.
   */
  readonly clientAddress?: (request: R) => string | undefined;
}

/** An administrator who acts as the user. */
export interface Acting {
  readonly actor: NonNullable<User['actor']>;
  /** Also for a request that changes something. Use it on routes only that an actor may use so. */
  readonly user: User;
}

/** Who makes a request. */
export interface Authentication {
  /**
   * The user with all permissions, for `can`. Null if no user is logged in, while the user has something to do first, and
   * for a request that changes something while another user acts as this one.
   */
  readonly user: User | null;
  /** What the user must do first; null: nothing, or no user is logged in. */
  readonly pending: Pending | null;
  /** Who acts as the user; null in an ordinary session, and while the user has something to do first. */
  readonly acting: Acting | null;
  /**
   * The page finds out who is logged in: the access token has expired and this server receives no refresh token, or the
   * service did not answer after the refresh.
   */
  readonly isExpired: boolean;
  /** Lines of `Set-Cookie` for the browser: refreshed tokens. Without them, the browser is logged out after a while. */
  readonly setCookies: readonly string[];
  /** The `Cookie` header of the request with the refreshed tokens, for further calls on behalf of the user. */
  readonly cookie: string;
}

/** The service cannot tell who makes a request: it is overloaded or unavailable. */
export class CastellanUnavailableError extends Error {
  constructor(
    /** Status of the response. */
    readonly status: number,
  ) {
    super(`Castellan cannot authenticate the request: ${status}`);
  }
}

/** As the access guard of the service. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Admission = Pick<Authentication, 'user' | 'pending' | 'acting'>;

const NO_USER: Admission = { user: null, pending: null, acting: null };

/** What the service itself would admit to a route without exceptions. */
function admit(user: User, method: string | undefined): Admission {
  const { pending: duty, actor } = user;
  if (duty !== null) return { ...NO_USER, pending: { duty, user } };
  if (!actor) return { ...NO_USER, user };
  return { ...NO_USER, user: SAFE_METHODS.has(method) ? user : null, acting: { actor, user } };
}

interface Refreshed {
  readonly isRefreshed: boolean;
  readonly setCookies: readonly string[];
}

type Sent = Readonly<Record<string, string>>;

const ACCOUNT = '/api/auth/me';
const REFRESH = '/api/auth/refresh';
const TIMEOUT_MS = 15_000;
/** A cookie of an expired access token may be gone. */
const EXPIRED_CODES: ReadonlySet<string | undefined> = new Set(['token_expired', 'unauthenticated']);

/** In production over https, and elsewhere. */
const DEFAULT_PREFIXES = ['__Host-iam', 'iam'];

const headerOf = ({ headers }: BrowserRequest, name: string): string | undefined => {
  const value = headers instanceof Headers ? headers.get(name) : (headers as Record<string, string | undefined>)[name];
  return Array.isArray(value) ? value.join('; ') : (value ?? undefined);
};

/** Authenticates the requests of browsers to another server by Castellan's cookies. Create one and keep it. */
export class CastellanServer<R extends BrowserRequest = BrowserRequest> {
  /** Refreshes that are under way, by refresh token. */
  private readonly refreshes = new Map<string, Promise<Refreshed>>();

  private readonly sessionCookies: ReadonlySet<string>;

  constructor(private readonly options: CastellanServerOptions<R>) {
    const prefixes = [options.cookiePrefix ?? DEFAULT_PREFIXES].flat();
    this.sessionCookies = new Set(prefixes.flatMap((prefix) => [`${prefix}_access`, `${prefix}_refresh`]));
  }

  /**
   * Reads who makes the request. Refreshes an expired access token, once for concurrent requests with the same cookie.
   * Rejects with `CastellanUnavailableError`, the error of `fetch`, or another one if the service is of an earlier version.
   * The address of a page that changes something must be protected against forged requests as without this function.
   */
  readonly authenticate = async (request: R): Promise<Authentication> => {
    const all = readCookies(headerOf(request, 'cookie') ?? '');
    const cookies = all.filter(([name]) => this.sessionCookies.has(name));
    const guest = { ...NO_USER, isExpired: false, setCookies: [], cookie: writeCookies(all) };
    if (cookies.length === 0) return guest;
    const headers = this.headersFor(request);
    const first = await this.account(cookies, headers);
    if ('user' in first) return { ...guest, ...admit(first.user, request.method) };
    if (!EXPIRED_CODES.has(first.problem?.code)) return guest;
    if (refreshKey(cookies) === '') return { ...guest, isExpired: true };
    const { isRefreshed, setCookies } = await this.refresh(cookies, headers);
    const cookie = writeCookies(afterResponse(all, setCookies));
    if (!isRefreshed) return { ...guest, setCookies, cookie };
    try {
      const second = await this.account(afterResponse(cookies, setCookies), headers);
      return { ...guest, ...('user' in second && admit(second.user, request.method)), setCookies, cookie };
    } catch {
      // The browser must get its new tokens in any case: the former one soon counts as stolen.
      return { ...guest, isExpired: true, setCookies, cookie };
    }
  };

  private headersFor(request: R): Sent {
    const address = this.options.clientAddress?.(request);
    const agent = headerOf(request, 'user-agent');
    // The service shows both in the list of the user's sessions.
    return { ...(agent !== undefined && { 'user-agent': agent }), ...(address && { 'x-forwarded-for': address }) };
  }

  private async account(
    cookies: readonly Cookie[],
    headers: Sent,
  ): Promise<{ user: User } | { problem: Problem | undefined }> {
    const answer = await this.send('GET', ACCOUNT, cookies, headers);
    if (answer.ok) return { user: complete((await answer.json()) as Partial<User>) };
    if (answer.status !== 401) throw new CastellanUnavailableError(answer.status);
    return { problem: await problemOf(answer) };
  }

  private refresh(cookies: readonly Cookie[], headers: Sent): Promise<Refreshed> {
    const key = refreshKey(cookies);
    const pending = this.refreshes.get(key);
    if (pending) return pending;
    const refreshed = this.refreshNow(cookies, headers).finally(() => this.refreshes.delete(key));
    this.refreshes.set(key, refreshed);
    return refreshed;
  }

  private async refreshNow(cookies: readonly Cookie[], headers: Sent): Promise<Refreshed> {
    const answer = await this.send('POST', REFRESH, cookies, headers);
    if (!answer.ok && answer.status !== 401) throw new CastellanUnavailableError(answer.status);
    return { isRefreshed: answer.ok, setCookies: answer.headers.getSetCookie() };
  }

  private send(method: string, path: string, cookies: readonly Cookie[], headers: Sent): Promise<Response> {
    const { baseUrl, fetch: send = (url, init) => fetch(url, init) } = this.options;
    return send(new URL(path, baseUrl), {
      method,
      headers: { ...headers, cookie: writeCookies(cookies) },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  }
}

/** A service of an earlier version names no duty, and would admit everybody. */
function complete(user: Partial<User>): User {
  if (user.pending === undefined) throw new Error('Castellan is older than castellan-client: update it first');
  return user as User;
}

/** The refresh tokens, usually one; empty if this server receives none. */
const refreshKey = (cookies: readonly Cookie[]): string =>
  writeCookies(cookies.filter(([name]) => name.endsWith('_refresh')));
