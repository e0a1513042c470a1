// A page on another origin than the service's, of the same site: the service's cookies come along with every call, and no
// script can read them. When the access token ends, the client renews it, once for all tabs.
import { createCastellanClient } from 'castellan-client';

const element = (id) => document.getElementById(id);
const { castellan: baseUrl } = await (await fetch('/config.json')).json();

const castellan = createCastellanClient({ baseUrl, language: () => 'en', onUnauthenticated: showLogin });

/** Also where another tab has logged out, or the session was ended from elsewhere. */
function showLogin({ code }) {
  element('greeting').textContent = 'You are not logged in.';
  element('login').hidden = false;
  element('account').hidden = true;
  if (code !== 'unauthenticated') element('failure').textContent = 'Your session has ended.';
}

/** The answer, or an exception with the service's own sentence for people. */
function answerOf({ data, error }) {
  if (error) throw new Error(error.detail ?? error.title, { cause: error });
  return data;
}

/** Both calls may find the token ended; one refresh serves them. */
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
  // The service's own pages know every kind of second factor; the session they open is this page's, too.
  if ('mfa_required' in data) throw new Error(`This account has a second factor: log in at ${baseUrl}/login`);
  element('login').reset();
  await show();
}

async function logOut() {
  answerOf(await castellan.POST('/api/auth/logout'));
  await show();
}

/** Browsers keep from a page why a call failed. */
const reasonOf = (error) =>
  error instanceof TypeError
    ? `${baseUrl} is out of reach, or its setting security.allowed_origins lacks ${location.origin}.`
    : error.message;

const told = (act) => async (event) => {
  event?.preventDefault();
  element('failure').textContent = '';
  try {
    await act();
  } catch (error) {
    console.warn(error);
    element('failure').textContent = reasonOf(error);
  }
};

element('login').onsubmit = told(logIn);
element('ask').onclick = told(show);
element('logout').onclick = told(logOut);
await told(show)();
