import type { RequestListener } from 'node:http';

/** What the entry for servers of the client returns. Its sources belong to another TypeScript project. */
export interface Found {
  readonly user: { readonly username: string } | null;
  readonly pending: { readonly duty: string } | null;
  readonly acting: { readonly actor: { readonly id: string }; readonly user: { readonly id: string } } | null;
}

interface CastellanServer {
  authenticate(request: { method?: string; headers: object }): Promise<Found>;
}

type Hook = (request: object, reply: object) => Promise<void>;

interface ServerEntry {
  readonly CastellanServer: new (options: { baseUrl: string }) => CastellanServer;
  readonly can: (user: object | null, permission: string) => boolean;
  readonly expressAuthentication: (
    castellan: CastellanServer,
  ) => (...of: [...Parameters<RequestListener>, () => void]) => void;
  readonly fastifyAuthentication: (castellan: CastellanServer) => Hook;
  readonly honoAuthentication: (
    castellan: CastellanServer,
  ) => (context: object, next: () => Promise<void>) => Promise<void>;
}

export const serverEntry = jest.requireActual<ServerEntry>('../../../packages/client/src/server');
