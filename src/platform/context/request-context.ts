import { AsyncLocalStorage } from 'node:async_hooks';
import { Language } from '../i18n';

/** Who makes the request, once the access guard has found out. */
export interface Caller {
  readonly userId: string;
  readonly username: string;
  readonly sessionId: string;
  readonly locale: Language | null;
  readonly mustChangePassword: boolean;
  /** The last proof of identity in this session is younger than setting `session.recent_login_seconds`. */
  readonly recentLogin: boolean;
  /** As `recentLogin`, of a second factor. */
  readonly recentSecondFactor: boolean;
  /** How the session was authenticated: Authentication Method References (RFC 8176); `mfa` where by two factors. */
  readonly amr: readonly string[];
}

/** An application that makes the request for itself: no user's, and in no session. */
export interface Machine {
  /** Of the client's record. */
  readonly id: string;
  /** By which the client calls itself in the protocol. */
  readonly clientId: string;
  /** Permissions of the service's own scope, as `resource:action`, that its token names and that still stand. */
  readonly scopes: readonly string[];
}

export const isMachine = (who: Caller | Machine): who is Machine => 'clientId' in who;

/** How the service sees its own address in this request. */
export interface RequestOrigin {
  /** `https://id.example.com` */
  readonly origin: string;
  readonly secure: boolean;
}

export interface RequestContext {
  readonly requestId: string;
  /** The client's address after trusted proxies. */
  readonly ip: string;
  /** The address as limits count it: IPv6 by /64. */
  readonly limitKey: string;
  readonly userAgent: string;
  readonly origin: RequestOrigin;
  /** Settled by the request alone; the caller's own locale stands above all but `?lang=`. */
  language: Language;
  readonly languageIsExplicit: boolean;
  caller?: Caller;
  /** Only on routes declared for machines, and then there is no `caller`. */
  machine?: Machine;
}

const ambient = new AsyncLocalStorage<RequestContext>();

/** The request being answered; undefined in jobs and at the start. */
export function currentRequest(): RequestContext | undefined {
  return ambient.getStore();
}

export function runInRequest<T>(context: RequestContext, work: () => T): T {
  return ambient.run(context, work);
}

const attached = Symbol('castellan.request');

interface Carrier {
  [attached]?: RequestContext;
}

export function attachContext(request: object, context: RequestContext): void {
  (request as Carrier)[attached] = context;
}

/** The context that `installHttp` attached; its absence is a defect of the host and throws. */
export function contextOf(request: object): RequestContext {
  const context = (request as Carrier)[attached];
  if (!context) throw new Error('No request context: call installHttp(app) before app.listen()');
  return context;
}

/** Notes who makes the request; the caller's own language counts from here on. */
export function introduce(context: RequestContext, caller: Caller): void {
  context.caller = caller;
  if (caller.locale && !context.languageIsExplicit) context.language = caller.locale;
}

export function findContext(request: object): RequestContext | undefined {
  return (request as Carrier)[attached];
}
