// nginx serves this page in place of a protected one if the access token is missing or expired. The session may still
// be active, so
// the page refreshes the token and reloads. If the refresh fails, it redirects to the login, with the complete address
// to return to.
const RENEWED = 'renewed_at';
const SOON_MS = 10_000;

function logIn() {
  const { pathname, search, hash } = location;
  location.replace(`/login?redirect=${encodeURIComponent(pathname + search + hash)}`);
}

/** A second 401 right after a refresh means that the browser stores no cookies. Stops an endless loop. */
const isCircle = () => Date.now() - Number(sessionStorage.getItem(RENEWED)) < SOON_MS;

async function renew() {
  const { status } = await fetch('/api/auth/refresh', { method: 'POST' });
  if (status === 401) return logIn();
  if (status !== 200) throw new Error(`The refresh failed with status ${status}`);
  sessionStorage.setItem(RENEWED, Date.now());
  location.reload();
}

try {
  await (isCircle() ? logIn() : renew());
} catch (error) {
  console.warn(error);
  document.getElementById('state').textContent = 'The login service cannot be reached. Please try again in a moment.';
}
