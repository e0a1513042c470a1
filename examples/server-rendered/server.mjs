// Renders pages on a server that knows the user: it reads Castellan's cookies, and refreshes an expired access token while
// the page loads.
import { createCastellanClient } from 'castellan-client';
import { CastellanServer, expressAuthentication } from 'castellan-client/server';
import { Can, CastellanProvider } from 'castellan-react';
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { createServer } from 'node:http';

const { CASTELLAN_URL = 'http://127.0.0.1:4000', PORT = '4402', HOST = '127.0.0.1' } = process.env;

const castellan = new CastellanServer({ baseUrl: CASTELLAN_URL });
// node:http has the requests and responses that Express extends.
const authenticate = expressAuthentication(castellan);
const client = createCastellanClient({ baseUrl: CASTELLAN_URL });

function greetingFor({ user, pending }) {
  if (user) return `Hello, ${user.nickname || user.username}`;
  return pending ? 'You have something to do first.' : 'You are not logged in.';
}

/** The login page of the service asks for a new password, agreement or second factor. */
function loginLink({ user, pending }) {
  if (user) return null;
  const [address, text] = pending ? ['/login?logged_in', 'Go on'] : ['/login', 'Log in'];
  return h('a', { href: `${CASTELLAN_URL}${address}` }, text);
}

/** React escapes the names. */
function page({ user, pending, isExpired }) {
  const body = h(
    CastellanProvider,
    { client, user, pending },
    h('h1', null, greetingFor({ user, pending })),
    h(Can, { permission: 'report:read', fallback: h('p', null, 'You have no reports.') }, h('p', null, 'Your report')),
    isExpired && h('p', null, 'Your login has expired for this server.'),
    loginLink({ user, pending }),
  );
  return `<!doctype html><html lang="en"><title>Example on a server</title><body>${renderToString(body)}</body></html>`;
}

const server = createServer((request, response) => {
  if (request.url !== '/') return response.writeHead(404).end('Not found');
  if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end('Not allowed');
  authenticate(request, response, (error) => {
    if (error) {
      console.error(error.message);
      return response.writeHead(503).end('Try again in a moment');
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    // Pages of different users must not be mixed up.
    response.setHeader('cache-control', 'no-store');
    response.end(page(request.castellan));
  });
});
server.on('error', ({ message }) => {
  console.error(`PORT ${PORT} cannot be used: ${message}`);
  process.exit(1);
});
server.listen(Number(PORT), HOST, () => console.log(`Open http://${HOST}:${PORT}`));
