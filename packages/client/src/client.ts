import createClient, { type Client } from 'openapi-fetch';
import type { Problem } from './problem';
import { renewingFetch, type Send } from './renewing-fetch';
import type { paths } from './schema';
import { turnFor } from './turn';

/** Every route of the service as a typed call: `client.GET('/api/auth/me')`. */
export type CastellanClient = Client<paths>;

export interface CastellanClientOptions {
  /** Where the service is, without a path: `https://id.example.com`. */
  readonly baseUrl: string;
  /** Stands in for `fetch`, for the refresh as well. Node.js keeps no cookies: give it `fetchWithCookies()`. */
  readonly fetch?: Send;
  /** The language answers speak, asked anew for each call; left out, it is the user's or the browser's. */
  readonly language?: () => string | undefined;
  /**
   * An answer said that nobody is logged in: never was, was too long away, or the session was ended. Told once, and again
   * only after a call succeeded.
   */
  readonly onUnauthenticated?: (problem: Problem) => void;
}

/**
 * A client of the service. The tokens are in cookies that no script can read; an access token that ended is renewed unseen,
 * once for however many calls, and in a browser once for all tabs of the origin.
 */
export function createCastellanClient(options: CastellanClientOptions): CastellanClient {
  const { baseUrl, fetch: send = (url, init) => fetch(url, init), ...rest } = options;
  return createClient<paths>({ baseUrl, fetch: renewingFetch({ baseUrl, send, turn: turnFor(baseUrl), ...rest }) });
}
