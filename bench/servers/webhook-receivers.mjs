/*
 * Receivers of webhooks, each on a separate port. The first never answers. `GET /ports` lists the ports, `POST /begin`
 * starts to record, and `GET /figures` returns what arrived since, and over how many new connections, without the first
 * receiver.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { receivers: { type: 'string', default: '20' } } });
let delays = [];
let ids = new Set();
let repeats = 0;
let connections = 0;
let since = 0;

function record(text) {
  const { id, at } = JSON.parse(text);
  if (Date.parse(at) < since) return;
  if (ids.has(id)) repeats++;
  else delays.push(Date.now() - Date.parse(at));
  ids.add(id);
}

async function receiver(isHanging) {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      if (isHanging) return;
      record(text);
      response.writeHead(204).end();
    });
  });
  if (!isHanging) server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

const ports = await Promise.all(Array.from({ length: Number(values.receivers) }, (_, index) => receiver(index === 0)));

const answers = {
  '/ready': () => ({}),
  '/ports': () => ports,
  '/begin': () => {
    [delays, ids, repeats, connections, since] = [[], new Set(), 0, 0, Date.now()];
    return {};
  },
  '/figures': () => ({ delays, repeats, connections }),
};

createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answers[request.url]?.() ?? {}));
}).listen(Number(process.env.PORT), '127.0.0.1');
