// Serves the page's files and, instead of a bundler, the modules that it imports.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

const { ISSUER = 'http://127.0.0.1:4000', CLIENT_ID, PORT = '4200', HOST = '127.0.0.1' } = process.env;
if (!CLIENT_ID) {
  console.error('Set CLIENT_ID to that of a public client in Castellan: see the README.');
  process.exit(1);
}

const { resolve } = createRequire(import.meta.url);
const folders = Object.fromEntries(
  ['openid-client', 'oauth4webapi', 'jose'].map((name) => [name, dirname(resolve(`${name}/package.json`))]),
);
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8' };

/** Returns the file for a path. All other paths return undefined, so no other file is ever read. */
function fileOf(path) {
  if (path === '/' || path === '/callback') return join(import.meta.dirname, 'index.html');
  if (path === '/app.js') return join(import.meta.dirname, 'app.js');
  const [, name, rest] = /^\/modules\/([\w-]+)\/((?:[\w-]+\/)*[\w-]+\.js)$/.exec(path) ?? [];
  return name && folders[name] ? join(folders[name], rest) : undefined;
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/config.json') {
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ issuer: ISSUER, clientId: CLIENT_ID }));
  }
  const file = fileOf(pathname);
  const content = file && (await readFile(file).catch(() => undefined));
  if (!content) return response.writeHead(404).end('Not found');
  response.setHeader('content-type', types[extname(file)]).end(content);
});
server.on('error', ({ message }) => {
  console.error(`PORT ${PORT} cannot be used: ${message}`);
  process.exit(1);
});
server.listen(Number(PORT), HOST, () => console.log(`Open http://${HOST}:${PORT}`));
