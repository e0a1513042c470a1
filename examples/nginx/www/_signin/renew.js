// Shown in the place of a page for which nobody is logged in, or for longer than an access token lives. The session may well
// be alive: then it is renewed and the page asked for again; else the login knows the way back, to the letter.
const RENEWED = 'renewed_at';
const SOON_MS = 10_000;

function logIn() {
  const { pathname, search, hash } = location;
  location.replace(`/login?redirect=${encodeURIComponent(pathname + search + hash)}`);
}

/** Renewed a moment ago, and still not let in: the browser keeps no cookies, and would go in circles. */
const isCircle = () => Date.now() - Number(sessionStorage.getItem(RENEWED)) < SOON_MS;

async function renew() {
  const { status } = await fetch('/api/auth/refresh', { method: 'POST' });
  if (status === 401) return logIn();
  if (status !== 200) throw new Error(`The service answers ${status}`);
  sessionStorage.setItem(RENEWED, Date.now());
  location.reload();
}

try {
  await (isCircle() ? logIn() : renew());
} catch (error) {
  console.warn(error);
  document.getElementById('state').textContent = 'The login is out of reach. Please try again in a moment.';
}
