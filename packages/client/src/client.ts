import createClient, { type Client } from 'openapi-fetch';
import type { Problem } from './problem';
import { renewingFetch, type Send } from './renewing-fetch';
import type { paths } from './schema';
import { turnFor } from './turn';

/** Typed client: `client.GET('/api/auth/me')`. */
export type CastellanClient = Client<paths>;

export interface CastellanClientOptions {
  /** URL of the service without a path: `https://id.example.com`. */
  readonly baseUrl: string;
  /** Replaces `fetch` for all requests, refreshes included. Node.js stores no cookies, so pass `fetchWithCookies()`. */
  readonly fetch?: Send;
  /** Language of responses, read before each request. Defaults to the user's or the browser's language. */
  readonly language?: () => string | undefined;
  /**
   * Called when a response says that no user is logged in: there was no session, it was idle for too long, or it was
   * ended. Called once until a request succeeds again.
   */
  readonly onUnauthenticated?: (problem: Problem) => void;
}

/**
 * Creates a client. The tokens are in cookies that scripts cannot read. The client refreshes an expired access token
 * transparently, once for all concurrent requests, and in browsers once for all tabs of the origin.
 */
export function createCastellanClient(options: CastellanClientOptions): CastellanClient {
  const { baseUrl, fetch: send = (url, init) => fetch(url, init), ...rest } = options;
  return createClient<paths>({ baseUrl, fetch: renewingFetch({ baseUrl, send, turn: turnFor(baseUrl), ...rest }) });
}
