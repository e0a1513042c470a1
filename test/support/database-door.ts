import { connect, createServer, Server, Socket } from 'node:net';

/** A way to the database server that can be cut, as a network is, or fall silent, as a frozen server does. */
export interface DatabaseDoor {
  readonly url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  /** What is sent stays on its way, and new connections are taken without a word. */
  freeze(): void;
  thaw(): void;
}

export async function doorTo(database: string): Promise<DatabaseDoor> {
  const target = new URL(database);
  const sockets = new Map<Socket, Socket>();
  let isFrozen = false;
  const server: Server = createServer((client) => {
    const upstream = connect(Number(target.port || '5432'), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.set(one, other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (!isFrozen) one.pipe(other);
    }
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as { port: number };
  const url = new URL(database);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.toString(),
    open: () => listen(port),
    shut: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
    },
    freeze: () => {
      isFrozen = true;
      for (const [one, other] of sockets) one.unpipe(other).pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const [one, other] of sockets) one.pipe(other);
    },
  };
}
