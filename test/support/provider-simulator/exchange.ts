import { IncomingHttpHeaders } from 'node:http';
import { SimulatedPerson } from './person';

/** A request as the handlers of vendors receive it. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly form: Readonly<Record<string, string>>;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Answered {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Data of a consent. */
export interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly nonce: string | undefined;
  readonly challenge: string | undefined;
  readonly person: SimulatedPerson;
}

export const CLIENT_ID = 'client-of-castellan';
export const CLIENT_SECRET = 'secret of castellan';

export const json = (value: unknown, status = 200, type = 'application/json'): Answered => ({
  status,
  type,
  body: JSON.stringify(value),
});
export const redirect = (location: string): Answered => ({ status: 302, headers: { location }, body: '' });

/** A simulated provider: its routes and the configuration of an administrator. */
export interface Vendor {
  readonly template: string;
  /** Body of `POST /api/oauth/provider` without name and label. */
  configuration(base: string): Readonly<Record<string, unknown>>;
  /** By `METHOD path`. */
  routes(desk: Desk): Readonly<Record<string, (asked: Asked) => Answered | Promise<Answered>>>;
}

/** Shared state of all vendors: single-use codes, tokens and the current user. */
export interface Desk {
  readonly base: () => string;
  readonly person: () => SimulatedPerson;
  /** Issues a code for the current user. */
  consent(asked: Asked, clientId: string | undefined): string;
  /** Returns the grant of a code once, or undefined when any proof does not match. */
  spend(code: unknown, proof: { redirectUri?: unknown; verifier?: unknown; clientId?: unknown }): Grant | undefined;
  token(grant: Grant): string;
  /** The grant of an access token. */
  whose(token: unknown): Grant | undefined;
}

export const bearerOf = ({ headers }: Asked): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];

/** Redirects back from the consent page of an ordinary provider. */
export function sendBack(desk: Desk, asked: Asked, code = 'code', clientId = 'client_id'): Answered {
  const target = new URL(asked.query['redirect_uri'] ?? '');
  target.searchParams.set(code, desk.consent(asked, asked.query[clientId]));
  target.searchParams.set('state', asked.query['state'] ?? '');
  return redirect(target.href);
}
