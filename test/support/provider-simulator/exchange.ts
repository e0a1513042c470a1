import { IncomingHttpHeaders } from 'node:http';
import { SimulatedPerson } from './person';

/** A request as the vendors' handlers see it. */
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

/** What a person's consent left behind. */
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

/** A simulated provider: its routes, and what an administrator would fill in for it. */
export interface Vendor {
  readonly template: string;
  /** Of `POST /api/oauth/provider`, beside name and label. */
  configuration(base: string): Readonly<Record<string, unknown>>;
  /** By `METHOD path`. */
  routes(desk: Desk): Readonly<Record<string, (asked: Asked) => Answered | Promise<Answered>>>;
}

/** What every vendor keeps: codes for one use, tokens, and who is there. */
export interface Desk {
  readonly base: () => string;
  readonly person: () => SimulatedPerson;
  /** A new code for whoever consents now. */
  consent(asked: Asked, clientId: string | undefined): string;
  /** The grant of a code, once; undefined for anything that does not fit. */
  spend(code: unknown, proof: { redirectUri?: unknown; verifier?: unknown; clientId?: unknown }): Grant | undefined;
  token(grant: Grant): string;
  /** Whose access token this is. */
  whose(token: unknown): Grant | undefined;
}

export const bearerOf = ({ headers }: Asked): string | undefined =>
  /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];

/** The end of a consent page of an ordinary provider. */
export function sendBack(desk: Desk, asked: Asked, code = 'code', clientId = 'client_id'): Answered {
  const target = new URL(asked.query['redirect_uri'] ?? '');
  target.searchParams.set(code, desk.consent(asked, asked.query[clientId]));
  target.searchParams.set('state', asked.query['state'] ?? '');
  return redirect(target.href);
}
