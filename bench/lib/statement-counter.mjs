import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A simple query, and the execution of a prepared one (PostgreSQL protocol 3, message types of the frontend). */
const STATEMENTS = new Set(['Q', 'E']);
const LENGTH_BYTES = 4;

/** Reads the messages of one client from a byte stream. The first message, the startup, has no type. */
class FrontendMessages {
  #rest = Buffer.alloc(0);
  #typeBytes = 0;

  /** @returns the types of the messages that the chunk completes. */
  take(chunk) {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const types = [];
    while (this.#rest.length >= this.#typeBytes + LENGTH_BYTES) {
      const end = this.#typeBytes + this.#rest.readUInt32BE(this.#typeBytes);
      if (this.#rest.length < end) break;
      types.push(this.#typeBytes === 0 ? 'startup' : String.fromCharCode(this.#rest[0]));
      this.#rest = this.#rest.subarray(end);
      this.#typeBytes = 1;
    }
    return types;
  }
}

/**
 * A TCP proxy in front of PostgreSQL that counts statements and round trips. A round trip is data from the client that
 * follows data from the server on the same connection, so statements sent together are one.
 */
export async function statementCounter(databaseUrl) {
  const target = new URL(databaseUrl);
  const counts = { statements: 0, roundTrips: 0 };
  const proxy = createServer((client) => {
    const server = connect(Number(target.port || 5432), target.hostname);
    const messages = new FrontendMessages();
    let isWaiting = false;
    client.on('data', (chunk) => {
      const types = messages.take(chunk);
      counts.statements += types.filter((type) => STATEMENTS.has(type)).length;
      if (!isWaiting) counts.roundTrips++;
      isWaiting = true;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      isWaiting = false;
      client.write(chunk);
    });
    for (const [one, other] of [
      [client, server],
      [server, client],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(proxy.address().port) });
  return { url: url.toString(), counts, close: () => proxy.close() };
}
