// Serves the page's files and, instead of a bundler, the modules that it imports.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';

const { CASTELLAN_URL = 'http://127.0.0.1:4000', PORT = '4400', HOST = '127.0.0.1' } = process.env;

const { resolve } = createRequire(import.meta.url);
const modules = {
  'castellan-client': join(dirname(resolve('castellan-client/package.json')), 'dist/index.js'),
  'openapi-fetch': join(dirname(resolve('openapi-fetch/package.json')), 'dist/index.mjs'),
};
const own = (name) => join(import.meta.dirname, name);
/** Files by path. No other file is ever read. */
const files = new Map([
  ['/', own('index.html')],
  ['/app.js', own('app.js')],
  ...Object.entries(modules).map(([name, file]) => [`/modules/${name}.js`, file]),
]);
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript',
};

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/config.json') {
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ castellan: CASTELLAN_URL }));
  }
  const file = files.get(pathname);
  if (!file) return response.writeHead(404).end('Not found');
  response.setHeader('content-type', types[extname(file)]).end(await readFile(file));
});
server.on('error', ({ message }) => {
  console.error(`PORT ${PORT} cannot be used: ${message}`);
  process.exit(1);
});
server.listen(Number(PORT), HOST, () => console.log(`Open http://${HOST}:${PORT}`));
