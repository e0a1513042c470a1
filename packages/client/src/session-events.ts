import type { EventHub } from './events';
import type { User } from './models';

const LOGINS = new Set(['/api/auth/login', '/api/auth/login/mfa', '/api/oauth/bind/register', '/api/oauth/bind/login']);
const ENDS = new Set(['POST /api/auth/logout', 'DELETE /api/auth/me']);
const ACTING = /^(?:POST \/api\/user\/[^/]+|DELETE \/api\/auth)\/act-as$/;
const REFRESH = 'POST /api/auth/refresh';

/** Undefined for the first step of a login with a second factor, which opens no session. */
async function loggedInBy(answer: Response): Promise<User | undefined> {
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  return typeof body === 'object' && body !== null && 'user' in body ? (body.user as User) : undefined;
}

/** Publishes what a successful response means for the session. */
export async function publishSessionEvent(events: EventHub, method: string, url: URL, answer: Response): Promise<void> {
  if (!answer.ok) return;
  const call = `${method} ${url.pathname}`;
  if (ENDS.has(call)) events.publish('logout', {});
  else if (call === REFRESH) events.publish('refresh', {});
  else if (ACTING.test(call)) events.publish('acting', {});
  if (method !== 'POST' || !LOGINS.has(url.pathname)) return;
  const user = await loggedInBy(answer);
  if (user) events.publish('login', { user });
}
