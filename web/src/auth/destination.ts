/** Where a login leads that came from nowhere. */
const HOME = `${location.origin}/account`;
const query = new URLSearchParams(location.search);

/** The authorization request that waits for this login (OpenID Connect), if one does. */
export const interaction = query.get('interaction') ?? undefined;

/** Whether a page behind the login found its session ended by somebody else, and sent the browser here. */
export const sessionEnded = query.has('ended');

/** Whether the browser comes from deleting its account. */
export const accountDeleted = query.has('deleted');

/**
 * An own address only: one from the query must never lead away (open redirect). It is left whole, as the path alone of
 * `/x/..//evil` would name a host.
 */
export function ownAddress(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/') || !URL.canParse(wanted, location.origin)) return HOME;
  const url = new URL(wanted, location.origin);
  return url.origin === location.origin ? url.href : HOME;
}

/** Keeps where to across a login at a third party, as `/bind` is an address that says nothing of it. */
const KEPT = 'after-third-party';
/** As long as the service itself waits for somebody who is about to be linked. */
const KEPT_MS = 600_000;

/** What this tab keeps; another tab is told what was kept last, as long as it can be about its login. */
function kept(): string | null {
  const own = sessionStorage.getItem(KEPT);
  if (own !== null) return own;
  const [, time, last] = /^(\d+) (.*)$/.exec(localStorage.getItem(KEPT) ?? '') ?? [];
  return last !== undefined && Date.now() - Number(time) < KEPT_MS ? last : null;
}

const wanted = query.get('redirect') ?? (location.pathname === '/bind' ? kept() : null);

/** Nobody said where to: the login decides. */
export const isUndecided = wanted === null;

export const destination = ownAddress(wanted);

/** Marks an address of the login for whoever has been logged in on the way there. */
const LOGGED_IN = 'logged_in';

/** Whether the browser was logged in elsewhere, and is here only to go on. */
export const isLoggedIn = query.has(LOGGED_IN);

function purpose(mark?: string): string {
  const kept = new URLSearchParams();
  if (interaction !== undefined) kept.set('interaction', interaction);
  if (destination !== HOME) kept.set('redirect', destination.slice(location.origin.length));
  if (mark !== undefined) kept.set(mark, '');
  return kept.toString();
}

/** The same page's address with what is to happen after the login. */
export function withPurpose(path: string): string {
  const text = purpose();
  return text === '' ? path : `${path}?${text}`;
}

/** Where somebody goes on who is logged in already. */
export const goingOn = `/login?${purpose(LOGGED_IN)}`;

/** Where a third party is to send the browser back to: the page that goes on from there. */
export const afterThirdParty = interaction === undefined ? destination.slice(location.origin.length) : goingOn;

/** Once somebody is in: a later login in this tab has a purpose of its own. */
export function forgetPurpose(): void {
  sessionStorage.removeItem(KEPT);
  localStorage.removeItem(KEPT);
}

/** Before the browser leaves for a third party. */
export function keepPurpose(): void {
  if (interaction === undefined && isUndecided) {
    forgetPurpose();
    return;
  }
  sessionStorage.setItem(KEPT, afterThirdParty);
  localStorage.setItem(KEPT, `${Date.now()} ${afterThirdParty}`);
}
