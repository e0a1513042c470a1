// An application's server on loopback.
import { createServer } from 'node:http';

/** Listens first, as redirect addresses are registered to the letter; `use` says what answers. */
export async function application() {
  let answer = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  return {
    /** For browsers. */
    url: `http://localhost:${port}`,
    /** For the service: its back channel. */
    backChannel: `http://127.0.0.1:${port}`,
    use(handler) {
      answer = handler;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
