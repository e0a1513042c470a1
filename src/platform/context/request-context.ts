import { AsyncLocalStorage } from 'node:async_hooks';
import { Language } from '../i18n';
import { leaveActing } from './acting';

/** The user who acts as another one, and the user's own session. */
export interface ActingUser {
  readonly userId: string;
  readonly username: string;
  readonly sessionId: string;
}

/** The user that makes the request, set by the access guard. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  readonly sessionId: string;
  readonly locale: Language | null;
  readonly mustChangePassword: boolean;
  /** Whether the user must first accept the current terms. Absent means no. */
  readonly mustAcceptTerms?: boolean;
  /** Whether the user must first give values of attributes. Absent means no. */
  readonly mustGiveAttributes?: boolean;
  /** Whether the last proof of identity in this session is younger than setting `session.recent_login_seconds`. */
  readonly recentLogin: boolean;
  /** As `recentLogin`, for a second factor. */
  readonly recentSecondFactor: boolean;
  /** Authentication method references (RFC 8176) of the session; contains `mfa` after two factors. */
  readonly amr: readonly string[];
  /** How the session began: type of the login method, or `oauth:<provider>`. Absent where no session of this service is known. */
  readonly loginMethod?: string;
  /** Present while another user acts as this one: who really makes the request (`act`, RFC 8693 §4.1). */
  readonly actor?: ActingUser;
}

/** An OAuth client that acts for itself, without user or session (RFC 6749 §4.4). */
export interface OAuthClientPrincipal {
  /** The id of the client's record. */
  readonly id: string;
  /** The `client_id` of the protocol. */
  readonly clientId: string;
  /** Permissions of the service's own scope, as `resource:action`, that the token names and the client still holds. */
  readonly scopes: readonly string[];
}

export const isOAuthClient = (who: Caller | OAuthClientPrincipal): who is OAuthClientPrincipal => 'clientId' in who;

/** The address of the service as this request reached it. */
export interface RequestOrigin {
  /** For example `https://id.example.com`. */
  readonly origin: string;
  readonly secure: boolean;
}

export interface RequestContext {
  readonly requestId: string;
  /** The client's address after trusted proxies. */
  readonly ip: string;
  /** The address as rate limits count it: IPv6 by /64. */
  readonly limitKey: string;
  readonly userAgent: string;
  readonly origin: RequestOrigin;
  /** Negotiated from the request; the caller's locale overrides everything but `?lang=`. */
  language: Language;
  readonly languageIsExplicit: boolean;
  caller?: Caller;
  /**
   * The organization that the request names, by the header `X-Organization-Id` or by the path. The access guard sets it
   * after it has checked that the caller may name it.
   */
  organizationId?: string;
  /** Set instead of `caller`, on routes that allow clients. */
  client?: OAuthClientPrincipal;
  /** The session that opened a socket. Later messages are checked by it, because its access token has expired. */
  heldSession?: Pick<Caller, 'userId' | 'sessionId'>;
}

const ambient = new AsyncLocalStorage<RequestContext>();

/** The request being served; undefined in jobs and at startup. */
export function currentRequest(): RequestContext | undefined {
  return ambient.getStore();
}

export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return leaveActing(() => ambient.run(context, work));
}

const attached = Symbol('castellan.request');

interface Carrier {
  [attached]?: RequestContext;
}

export function attachContext(request: object, context: RequestContext): void {
  (request as Carrier)[attached] = context;
}

/** Returns the context that `installHttp` attached. Throws if the host did not call it. */
export function contextOf(request: object): RequestContext {
  const context = (request as Carrier)[attached];
  if (!context) throw new Error('No request context: call installHttp(app) before app.listen()');
  return context;
}

/** Sets the caller; the caller's language applies from here on. */
export function introduce(context: RequestContext, caller: Caller): void {
  context.caller = caller;
  if (caller.locale && !context.languageIsExplicit) context.language = caller.locale;
}

export function findContext(request: object): RequestContext | undefined {
  return (request as Carrier)[attached];
}
