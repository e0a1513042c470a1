/** Storage key of the token while the user logs in, in this tab. */
const KEPT = 'invitation';

function takeFromAddress(): string | null {
  const token = location.hash.slice(1);
  if (token === '') return null;
  sessionStorage.setItem(KEPT, token);
  // The history of the browser must not keep a secret.
  history.replaceState(null, '', location.pathname + location.search);
  return token;
}

/** The token of the link, or of the link that was opened before the login. The fragment of an address reaches no server. */
export const invitationToken = takeFromAddress() ?? sessionStorage.getItem(KEPT) ?? undefined;

/** Call this when the invitation is of no more use, so that a later visit does not show it. */
export function clearInvitation(): void {
  sessionStorage.removeItem(KEPT);
}
