/** Destination of a login without a `redirect` parameter. */
const HOME = `${location.origin}/account`;
const query = new URLSearchParams(location.search);

/** Authorization request that waits for this login (OpenID Connect), if any. */
export const interaction = query.get('interaction') ?? undefined;

/** Whether a console page redirected here because its session has ended. */
export const sessionEnded = query.has('ended');

/** Whether the user has just deleted the account. */
export const accountDeleted = query.has('deleted');

/** Whether the user has just asked for the deletion of the account, which follows later. */
export const deletionDue = query.has('deletion_due');

/**
 * Accepts same-origin addresses only, so that a query parameter cannot redirect to another site (open redirect).
 * Returns the whole URL: the path alone of `/x/..//evil` would name a host.
 */
export function ownAddress(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/') || !URL.canParse(wanted, location.origin)) return HOME;
  const url = new URL(wanted, location.origin);
  return url.origin === location.origin ? url.href : HOME;
}

/** Storage key of the destination during a third-party login. The address of `/bind` does not carry it. */
const KEPT = 'after-third-party';
/** Equals the lifetime of the service's account link token. */
const KEPT_MS = 600_000;

/** Returns this tab's stored destination. Another tab gets the last one stored, while it may belong to its login. */
function kept(): string | null {
  const own = sessionStorage.getItem(KEPT);
  if (own !== null) return own;
  const [, time, last] = /^(\d+) (.*)$/.exec(localStorage.getItem(KEPT) ?? '') ?? [];
  return last !== undefined && Date.now() - Number(time) < KEPT_MS ? last : null;
}

const wanted = query.get('redirect') ?? (location.pathname === '/bind' ? kept() : null);

/** No destination was given, so the login chooses one. */
export const isUndecided = wanted === null;

export const destination = ownAddress(wanted);

/** Query parameter which marks that the user has already logged in on the way. */
const LOGGED_IN = 'logged_in';

/** Whether the user is logged in already and only has to be sent on. */
export const isLoggedIn = query.has(LOGGED_IN);

function purpose(mark?: string): string {
  const kept = new URLSearchParams();
  if (interaction !== undefined) kept.set('interaction', interaction);
  if (destination !== HOME) kept.set('redirect', destination.slice(location.origin.length));
  if (mark !== undefined) kept.set(mark, '');
  return kept.toString();
}

/** Returns the path with the destination of the login as its query. */
export function withPurpose(path: string): string {
  const text = purpose();
  return text === '' ? path : `${path}?${text}`;
}

/** Address that sends a logged-in user on to the destination. */
export const goingOn = `/login?${purpose(LOGGED_IN)}`;

/** Address of the error page. It names the interaction, so that a popup stays connected to the application. */
export function errorPage(code: string): string {
  const pending = interaction ?? new URL(destination).searchParams.get('interaction');
  return `/error?${new URLSearchParams({ code, ...(pending !== null && { interaction: pending }) }).toString()}`;
}

/** Address that the login provider sends the browser back to. */
export const afterThirdParty = interaction === undefined ? destination.slice(location.origin.length) : goingOn;

/** Address that begins a login at a provider. */
export const throughProvider = (loginUrl: string): string =>
  `${loginUrl}?redirect=${encodeURIComponent(afterThirdParty)}`;

/** Call this after a login, so that a later login in this tab does not reuse the destination. */
export function clearDestination(): void {
  sessionStorage.removeItem(KEPT);
  localStorage.removeItem(KEPT);
}

/** Call this before the browser leaves for a login provider. */
export function storeDestination(): void {
  if (interaction === undefined && isUndecided) {
    clearDestination();
    return;
  }
  sessionStorage.setItem(KEPT, afterThirdParty);
  localStorage.setItem(KEPT, `${Date.now()} ${afterThirdParty}`);
}
