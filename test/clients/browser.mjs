// A minimal browser for a login: cookies, redirects, and the user's input on the pages.
import { once } from 'node:events';
import { request } from 'node:http';
import { ISSUER, PASSWORD, api } from './service.mjs';

const MAX_STEPS = 30;

/** Node's `fetch` would send `Sec-Fetch-Mode: cors`, with which the service rejects a login. */
async function send(url, { method = 'GET', headers, body }) {
  const content = body === undefined ? undefined : String(body);
  const form = body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded' };
  const length = content !== undefined && { 'content-length': Buffer.byteLength(content) };
  const asked = request(url, { method, headers: { ...form, ...length, ...headers }, agent: false }).end(content);
  const [answer] = await once(asked, 'response');
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  const given = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2) given.append(...answer.rawHeaders.slice(at, at + 2));
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), {
    status: answer.statusCode,
    headers: given,
  });
}

export class Browser {
  /**
   * By host, path and name. Ports do not separate cookies, so applications use `localhost` and the service 127.0.0.1.
   */
  #cookies = new Map();
  #wanted;

  constructor(username) {
    this.username = username;
  }

  async fetch(address, { headers = {}, ...options } = {}) {
    const url = new URL(address);
    const cookie = [...this.#cookies.values()]
      .filter(({ host, path }) => host === url.hostname && url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const all = { accept: 'text/html,*/*;q=0.8', ...headers, ...(cookie !== '' && { cookie }) };
    const response = await send(url, { headers: all, ...options });
    for (const line of response.headers.getSetCookie()) this.#keep(url.hostname, line);
    return response;
  }

  #keep(host, line) {
    const [pair, ...attributes] = line.split(/; */);
    const of = (wanted) =>
      attributes.find((each) => each.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    const path = of('path') ?? '/';
    const key = `${host} ${path} ${name}`;
    const isOver = of('max-age') === '0' || (of('expires') !== undefined && Date.parse(of('expires')) <= Date.now());
    if (isOver || value === '') this.#cookies.delete(key);
    else this.#cookies.set(key, { host, path, name, value });
  }

  /** Continues until a page of the application, and logs in, consents and logs out on the way as a user would. */
  async visit(address, options = {}) {
    let [url, next] = [new URL(address), options];
    for (let count = 0; count < MAX_STEPS; count++) {
      const response = await this.fetch(url, next);
      next = {};
      const location = response.headers.get('location');
      if (location !== null) {
        url = new URL(location, url);
        if (this.#wanted !== undefined && url.href.startsWith(this.#wanted)) return { url };
        continue;
      }
      const text = await response.text();
      const step = url.origin === ISSUER ? await this.#answer(url, text) : undefined;
      if (step === undefined) return { url, status: response.status, text };
      [url, next] = step;
    }
    throw new Error(`Too many steps, last at ${url.href}`);
  }

  /** Continues until a redirect to the address and returns that URL. The address needs no listener. */
  async callback(address, wanted) {
    this.#wanted = wanted;
    try {
      return (await this.visit(address)).url;
    } finally {
      this.#wanted = undefined;
    }
  }

  /** The user's input on a page of the service. Undefined when there is nothing to do. */
  async #answer(url, text) {
    const uid = url.searchParams.get('interaction');
    if (uid !== null) {
      if (url.pathname === '/login') await this.logIn();
      const { redirect } = await api(this, 'POST', `/api/oauth/interaction/${uid}`, { decision: 'allow' });
      return [new URL(redirect, url), {}];
    }
    const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1];
    if (url.pathname !== '/api/oauth/logout' || action === undefined) return undefined;
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const body = new URLSearchParams({ xsrf, logout: 'yes' });
    return [new URL(action, url), { method: 'POST', body }];
  }

  async logIn() {
    const { username } = this;
    await api(this, 'POST', '/api/auth/login', { type: 'password', username, password: PASSWORD });
  }
}
