// The server of an application on loopback.
import { createServer } from 'node:http';

/** Listens first, because redirect URIs are registered exactly. `use` sets the request handler. */
export async function application() {
  let answer = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  return {
    /** Address for browsers. */
    url: `http://localhost:${port}`,
    /** Address for the back channel of the service. */
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
