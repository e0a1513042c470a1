import type { LightMyRequestResponse } from 'fastify';
import * as oidc from 'openid-client';
import type { Answer, TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

export const ISSUER = 'http://127.0.0.1:4000';
export const CALLBACK = 'https://app.example.com/callback';

export interface Registered {
  readonly id: string;
  readonly client_id: string;
  /** Absent for a public client. */
  readonly client_secret?: string;
}

/** Registers a client of the owner. */
export async function register(owner: TestClient, more: object = {}): Promise<Registered> {
  const answer = await owner.post<Registered>('/api/oauth/client', {
    name: 'App',
    redirect_uris: [CALLBACK],
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    ...more,
  });
  if (answer.status !== 201) throw new Error(`Could not register a client: ${answer.text}`);
  return answer.body;
}

/** What most specs of the authorization server need. */
export interface WithApp {
  readonly service: TestService;
  readonly admin: TestClient;
  readonly app: Registered;
  /** The relying party of `app`. */
  readonly config: oidc.Configuration;
}

/** Registers one client of the administrator. */
export async function registerApp(service: TestService, client: object = {}): Promise<WithApp> {
  const admin = await service.admin();
  const app = await register(admin, client);
  return { service, admin, app, config: await relyingParty(() => service, app) };
}

const bodyOf = (body: unknown): string | undefined =>
  body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined;

/** A fetch function that calls the service in process, for client libraries. */
export function fetchFrom(service: () => TestService): oidc.CustomFetch {
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const payload = bodyOf(body);
    const response: LightMyRequestResponse = await service().app.inject({
      method: method as 'GET',
      url: `${pathname}${search}`,
      headers,
      ...(payload !== undefined && { payload }),
    });
    return new Response(response.payload === '' ? null : response.payload, {
      status: response.statusCode,
      headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    });
  };
}

/** A relying party of `openid-client`, which validates every response. */
export function relyingParty(
  service: () => TestService,
  client: Registered,
  authentication: oidc.ClientAuth = client.client_secret === undefined
    ? oidc.None()
    : oidc.ClientSecretBasic(client.client_secret),
  algorithm = 'RS256',
): Promise<oidc.Configuration> {
  return oidc.discovery(
    new URL(ISSUER),
    client.client_id,
    { id_token_signed_response_alg: algorithm },
    authentication,
    {
      // oxlint-disable-next-line typescript/no-deprecated -- the library's word for plain http, which tests speak
      execute: [oidc.allowInsecureRequests],
      [oidc.customFetch]: fetchFrom(service),
    },
  );
}

export interface Started {
  readonly url: URL;
  readonly checks: oidc.AuthorizationCodeGrantChecks;
  readonly verifier: string;
}

/** An authorization request and the values to check its response. */
export async function begin(config: oidc.Configuration, parameters: Record<string, string> = {}): Promise<Started> {
  const verifier = oidc.randomPKCECodeVerifier();
  const state = oidc.randomState();
  const nonce = oidc.randomNonce();
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: 'openid profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...parameters,
  });
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  return { url, checks, verifier };
}

/** The address that the service redirects the browser to. */
export async function redirectOf(browser: TestClient, address: string | URL): Promise<string> {
  const { pathname, search } = new URL(address, ISSUER);
  const answer = await browser.get(`${pathname}${search}`);
  if (answer.status !== 302) throw new Error(`${pathname} did not redirect: ${answer.status} ${answer.text}`);
  return String(answer.headers['location']);
}

export interface ShownInteraction {
  readonly uid: string;
  readonly kind: string;
  readonly client: { id: string; name: string; logo: string; first_party: boolean };
  readonly scopes: { name: string; description: string }[];
  readonly user?: { id: string };
}

const uidOf = (address: string): string => new URL(address, ISSUER).searchParams.get('interaction') ?? '';

/** The interaction of the uid in the address of a page. */
export const interactionAt = (browser: TestClient, address: string): Promise<Answer<ShownInteraction>> =>
  browser.get<ShownInteraction>(`/api/oauth/interaction/${uidOf(address)}`);

export const decideAt = (
  browser: TestClient,
  address: string,
  decision: 'allow' | 'deny' = 'allow',
  more: object = {},
): Promise<Answer<{ redirect: string }>> =>
  browser.post<{ redirect: string }>(`/api/oauth/interaction/${uidOf(address)}`, { decision, ...more });

/** Allows every prompt and returns the redirect address with the code. */
export async function authorize(browser: TestClient, url: URL): Promise<URL> {
  let address = await redirectOf(browser, url);
  for (let step = 0; step < 4 && /^\/(?:login|consent)\?/.test(address); step++) {
    const { status, body, text } = await decideAt(browser, address);
    if (status !== 200) throw new Error(`The decision was rejected: ${text}`);
    address = await redirectOf(browser, body.redirect);
  }
  return new URL(address);
}

/** Runs a complete authorization code flow. */
export async function logInAt(
  config: oidc.Configuration,
  browser: TestClient,
  parameters: Record<string, string> = {},
): Promise<oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers> {
  const { url, checks } = await begin(config, parameters);
  const tokenParameters = parameters['resource'] === undefined ? undefined : { resource: parameters['resource'] };
  return oidc.authorizationCodeGrant(config, await authorize(browser, url), checks, tokenParameters);
}

/** Sends a form as an application's server does. */
export async function post(
  service: TestService,
  path: string,
  form: Record<string, string> | string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: LightMyRequestResponse['headers'] }> {
  const response = await service.app.inject({
    method: 'POST',
    url: path,
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
  const body = response.payload === '' ? {} : (JSON.parse(response.payload) as Record<string, unknown>);
  return { status: response.statusCode, body, headers: response.headers };
}

export const basic = ({ client_id: id, client_secret: secret }: Registered): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret ?? ''}`).toString('base64')}`,
});
