// Receives webhooks: verifies each delivery, stores it, answers at once, and works on it afterwards.
import { Buffer } from 'node:buffer';
import { createServer } from 'node:http';
import { Inbox } from './inbox.mjs';
import { Subjects } from './subjects.mjs';
import { isValid } from './verify/verify.mjs';

const { SECRET = '', PORT = '4700', HOST = '127.0.0.1', INBOX = 'inbox.jsonl' } = process.env;
const MAX_BYTES = 256 * 1024;
if (!SECRET.startsWith('whsec_')) throw new Error('Set SECRET to the secret of the webhook: whsec_…');

const inbox = await Inbox.open(INBOX);
const subjects = new Subjects(async (event) => {
  // Your work. It may run twice if the process dies before `finish`.
  console.log(`${event.id} ${event.type} ${event.subject?.id ?? '-'}`);
  await inbox.finish(event);
});
// What a crash interrupted, in the order of its arrival.
for (const event of inbox.unfinished) subjects.add(event);

async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function statusFor(request) {
  if (request.method !== 'POST') return 405;
  const body = await bodyOf(request);
  if (!body) return 413;
  if (!isValid(SECRET, request.headers, body)) return 401;
  const event = JSON.parse(body.toString());
  if (await inbox.add(event)) subjects.add(event);
  return 204;
}

const server = createServer((request, response) => {
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      // The service sends the event again.
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(PORT), HOST, () => console.log(`Listening on port ${server.address().port}`));
