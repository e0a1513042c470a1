import createClient from 'openapi-fetch';
import { pageLanguage } from '../shared/language';
import { isProblem } from './problem';
import type { paths } from './schema';

const REFRESHED = 'castellan.refreshed_at';
const LOCK = 'castellan.refresh';
/** The refresh that was waited for may have failed: then there is one of one's own. */
const MOST_REFRESHES = 2;

async function hasExpired(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return isProblem(body) && body.code === 'token_expired';
}

async function refreshUnlessNewer(start: number): Promise<boolean> {
  if (Number(localStorage.getItem(REFRESHED)) > start) return true;
  const { ok } = await fetch('/api/auth/refresh', { method: 'POST' });
  if (ok) localStorage.setItem(REFRESHED, String(Date.now()));
  return ok;
}

/**
 * One refresh at a time in all tabs; whoever waited for another's does not ask again. What that one stored may reach this
 * tab only after its lock has, so that having waited counts by itself.
 */
async function refreshSince(start: number): Promise<boolean> {
  const own = await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => lock && refreshUnlessNewer(start));
  return own ?? navigator.locks.request(LOCK, () => true);
}

/** Read once, as it may be sent twice; and a body that is a stream is taken over HTTP/2 only. */
async function readCall(request: Request): Promise<() => Promise<Response>> {
  const url = new URL(request.url);
  url.searchParams.set('lang', pageLanguage);
  const { method, headers } = request;
  const body = method === 'GET' ? '' : await request.text();
  return () => fetch(url, { method, headers, ...(body !== '' && { body }) });
}

async function fetchFresh(request: Request): Promise<Response> {
  const start = Date.now();
  const call = await readCall(request);
  let response = await call();
  for (let count = 0; count < MOST_REFRESHES && (await hasExpired(response)); count++) {
    if (!(await refreshSince(start))) break;
    response = await call();
  }
  return response;
}

/** Every call of the pages: answers speak the page's language, and an access token that ended is renewed unseen. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: fetchFresh });
