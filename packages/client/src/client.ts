import createClient, { type Client } from 'openapi-fetch';
import { type CastellanEvents, type Channel, EventHub, OBSERVE, type Observed } from './events';
import { followChanges } from './follow-changes';
import type { Problem } from './problem';
import { renewingFetch, type Send } from './renewing-fetch';
import type { paths } from './schema';
import { isBrowser, turnFor } from './turn';

type LoginPath = '/api/auth/login';
type LoginRoute = paths[LoginPath]['post'];

/** The login route with the body of a host's own login method. */
type OwnLogin<Body> = Record<
  LoginPath,
  Omit<paths[LoginPath], 'post'> & {
    post: Omit<LoginRoute, 'requestBody'> & { requestBody: { content: { 'application/json': Body } } };
  }
>;

/**
 * Typed client: `client.GET('/api/auth/me')`.
 *
 * @typeParam Own routes of the host application, as openapi-typescript generates them
 * @typeParam Login bodies of the host's login methods: `{ type: 'badge'; badge: string }`
 */
export type CastellanClient<Own extends object = never, Login = never> = Client<paths> &
  ([Own] extends [never] ? unknown : Client<Own>) &
  ([Login] extends [never] ? unknown : Client<OwnLogin<Login>>) & {
    /** Calls the listener for each event, of all tabs, until the returned function is called. */
    on<N extends keyof CastellanEvents>(name: N, listener: (event: CastellanEvents[N]) => void): () => void;
  };

export interface CastellanClientOptions {
  /** URL of the service without a path: `https://id.example.com`. */
  readonly baseUrl: string;
  /** Replaces `fetch` for all requests, refreshes included. Node.js stores no cookies, so pass `fetchWithCookies()`. */
  readonly fetch?: Send;
  /** Language of responses, read before each request. Defaults to the user's or the browser's language. */
  readonly language?: () => string | undefined;
  /**
   * Id of the organization that requests name by `X-Organization-Id`, read before each request. It is not sent to
   * `/api/auth/…`, and a request with this header keeps its own. The user must be a member: any other is 404.
   */
  readonly organizationId?: () => string | undefined;
  /**
   * Called when a response says that no user is logged in: there was no session, it was idle for too long, or it was
   * ended. Called once until a request succeeds again.
   */
  readonly onUnauthenticated?: (problem: Problem) => void;
}

/** Without a channel, and in Node.js, whose clients need not share cookies, events stay in this client. */
const channelFor = (baseUrl: string): Channel | undefined =>
  isBrowser() && 'BroadcastChannel' in globalThis ? new BroadcastChannel(`castellan ${baseUrl}`) : undefined;

/**
 * Creates a client. The tokens are in cookies that scripts cannot read. The client refreshes an expired access token
 * transparently, once for all concurrent requests, and in browsers once for all tabs of the origin.
 */
export function createCastellanClient<Own extends object = never, Login = never>(
  options: CastellanClientOptions,
): CastellanClient<Own, Login> {
  const { baseUrl, fetch: send = (url, init) => fetch(url, init), ...rest } = options;
  const events = new EventHub(() => channelFor(baseUrl));
  events.whileListened('change', () => followChanges({ baseUrl, send, events }));
  const client = createClient<paths>({
    baseUrl,
    fetch: renewingFetch({ baseUrl, send, turn: turnFor(baseUrl), events, ...rest }),
  });
  const observed: Observed = { [OBSERVE]: events.observe };
  return Object.assign(Object.assign(client, { on: events.on }) as CastellanClient<Own, Login>, observed);
}
