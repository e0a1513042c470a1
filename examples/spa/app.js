// Page on another origin of the same site: the browser sends the service's cookies with every call, and scripts cannot
// read
// them. When the access token expires, the client refreshes it, once for all tabs.
import { createCastellanClient } from 'castellan-client';

const element = (id) => document.getElementById(id);
const { castellan: baseUrl } = await (await fetch('/config.json')).json();

const castellan = createCastellanClient({ baseUrl, language: () => 'en', onUnauthenticated: showLogin });

/** Also called if another tab logs out or the session is ended elsewhere. */
function showLogin({ code }) {
  element('greeting').textContent = 'You are not logged in.';
  element('login').hidden = false;
  element('account').hidden = true;
  if (code !== 'unauthenticated') element('failure').textContent = 'Your session has ended.';
}

/** Returns the data, or throws the service's error message. */
function answerOf({ data, error }) {
  if (error) throw new Error(error.detail ?? error.title, { cause: error });
  return data;
}

/** Both requests may find the token expired. One refresh serves both. */
async function show() {
  const [me, sessions] = await Promise.all([castellan.GET('/api/auth/me'), castellan.GET('/api/auth/sessions')]);
  if (me.response.status === 401) return;
  const { username, nickname } = answerOf(me);
  const { items } = answerOf(sessions);
  element('greeting').textContent = `Hello, ${nickname || username}`;
  element('since').textContent = new Date(items.find(({ current }) => current).created_at).toLocaleString();
  element('sessions').textContent = items.length;
  element('login').hidden = true;
  element('account').hidden = false;
}

async function logIn() {
  const { username, password } = Object.fromEntries(new FormData(element('login')));
  const data = answerOf(await castellan.POST('/api/auth/login', { body: { type: 'password', username, password } }));
  // The service's own pages support every second factor, and their session works here too.
  if ('mfa_required' in data) throw new Error(`This account has a second factor: log in at ${baseUrl}/login`);
  element('login').reset();
  await show();
}

async function logOut() {
  answerOf(await castellan.POST('/api/auth/logout'));
  await show();
}

/** Browsers hide from a page why a request failed. */
const reasonOf = (error) =>
  error instanceof TypeError
    ? `${baseUrl} cannot be reached, or its setting security.allowed_origins lacks ${location.origin}.`
    : error.message;

const withErrors = (act) => async (event) => {
  event?.preventDefault();
  element('failure').textContent = '';
  try {
    await act();
  } catch (error) {
    console.warn(error);
    element('failure').textContent = reasonOf(error);
  }
};

element('login').onsubmit = withErrors(logIn);
element('ask').onclick = withErrors(show);
element('logout').onclick = withErrors(logOut);
await withErrors(show)();
