import type { EventHub } from './events';
import { type Problem, problemOf } from './problem';
import { type Renewal, renewalBy } from './renewal';
import { publishSessionEvent } from './session-events';
import type { RefreshError, Turn } from './turn';

/** Sends a request: `fetch` or a replacement. */
export type Send = (url: URL, init: RequestInit) => Promise<Response>;

export interface RenewingOptions {
  readonly baseUrl: string;
  readonly send: Send;
  readonly turn: Turn;
  readonly language?: () => string | undefined;
  readonly organizationId?: () => string | undefined;
  readonly onUnauthenticated?: (problem: Problem) => void;
  readonly events: EventHub;
}

const ORGANIZATION = 'x-organization-id';
/** Routes of the account, which must work after the user has left the organization, such as a logout. */
const ACCOUNT = /^\/api\/auth\//;
const REFRESH = '/api/auth/refresh';
/**
 * Shorter than the default `jwt.version_grace_seconds` (30 s): after a timeout, the repeated refresh does not count as
 * token theft.
 */
const REFRESH_TIMEOUT_MS = 15_000;
/** A refresh shared with another tab may have failed, so a second attempt follows. */
const MAX_RENEWALS = 2;
/** Codes of a 401 which mean that no user is logged in, unlike a wrong password or a required reauthentication. */
const UNAUTHENTICATED_CODES = new Set(['unauthenticated', 'token_expired', 'session_revoked', 'refresh_reused']);

type Call = () => Promise<Response>;

/** An organization that the call names itself wins. */
function nameOrganization(headers: Headers, { pathname }: URL, organizationId: string | undefined): void {
  if (organizationId === undefined || headers.has(ORGANIZATION) || ACCOUNT.test(pathname)) return;
  headers.set(ORGANIZATION, organizationId);
}

/** Reads the body once, because the request may be repeated. Browsers stream request bodies over HTTP/2 only. */
async function readCall(request: Request, { send, language, organizationId }: RenewingOptions): Promise<Call> {
  const url = new URL(request.url);
  const spoken = language?.();
  if (spoken !== undefined) url.searchParams.set('lang', spoken);
  const { method, signal, cache, keepalive } = request;
  const headers = new Headers(request.headers);
  nameOrganization(headers, url, organizationId?.());
  const body = await request.text();
  const passedOn = { method, headers, signal, cache, keepalive, ...(body !== '' && { body }) };
  return () => send(url, { ...passedOn, credentials: 'include' });
}

function refreshBy({ baseUrl, send, events }: RenewingOptions): () => Promise<RefreshError> {
  const url = new URL(REFRESH, baseUrl);
  return async () => {
    const signal = AbortSignal.timeout(REFRESH_TIMEOUT_MS);
    const answer = await send(url, { method: 'POST', credentials: 'include', signal });
    await publishSessionEvent(events, 'POST', url, answer);
    return answer.ok ? undefined : answer;
  };
}

async function hasExpired(answer: Response): Promise<boolean> {
  return answer.status === 401 && (await problemOf(answer))?.code === 'token_expired';
}

async function callFresh(call: Call, renewal: Renewal): Promise<Response> {
  for (let count = 0; ; count++) {
    const renew = renewal();
    const answer = await call();
    if (count === MAX_RENEWALS || !(await hasExpired(answer))) return answer;
    const errorResponse = await renew();
    if (errorResponse) return errorResponse;
  }
}

/** Reports an ended session once, until a request succeeds again. */
function unauthenticatedNotifier({ onUnauthenticated, events }: RenewingOptions): (answer: Response) => Promise<void> {
  let isNotified = false;
  return async (answer) => {
    if (answer.ok) isNotified = false;
    const problem = answer.status === 401 ? await problemOf(answer) : undefined;
    if (isNotified || !problem || !UNAUTHENTICATED_CODES.has(problem.code)) return;
    isNotified = true;
    onUnauthenticated?.(problem);
    events.emit('logout', { isOtherTab: false, problem });
  };
}

/** Returns a `fetch` that refreshes an expired access token. If the refresh fails, its response is returned. */
export function renewingFetch(options: RenewingOptions): (request: Request) => Promise<Response> {
  const renewal = renewalBy(refreshBy(options), options.turn);
  const notify = unauthenticatedNotifier(options);
  return async (request) => {
    const call = await readCall(request, options);
    const url = new URL(request.url);
    const answer = await (url.pathname === REFRESH ? call() : callFresh(call, renewal));
    await notify(answer);
    await publishSessionEvent(options.events, request.method, url, answer);
    return answer;
  };
}
