import { IdentityProvider, ExternalProfile, IdentityProviderRegistry } from '../../../src/oauth/login';
import type { ProviderView, UsableProvider } from '../../../src/oauth/login';
import type { AuthorizeRequest, CallbackRequest } from '../../../src/oauth/login/providers';
import { newId } from '../../../src/platform/crypto';
import { Answer, Problem, SendOptions, TestClient } from '../service/test-client';
import { TestService } from '../service/test-service';

/** An identity provider that returns the configured result. */
export class FakeProvider extends IdentityProvider implements UsableProvider {
  answersByFormPost = false;
  enabled = true;
  readonly asked: AuthorizeRequest[] = [];
  readonly completed: CallbackRequest[] = [];
  /** Result of the next callbacks. */
  answer: () => Promise<ExternalProfile> = () => Promise.reject(new Error('No login was configured'));
  provider: ProviderView;

  constructor(name: string, more: Partial<ProviderView> = {}) {
    super();
    this.provider = {
      id: newId(),
      version: 1,
      name,
      label: name.toUpperCase(),
      icon: null,
      template: 'oidc',
      pkce: true,
      autoRegister: false,
      trustEmail: false,
      organizationId: null,
      ...more,
    };
  }

  get identityProvider(): this {
    return this;
  }

  /** Configures the profile that the next callbacks return. */
  person(subject: string, more: Partial<ExternalProfile> = {}): void {
    const subjects: ExternalProfile['subjects'] = [{ claim: 'sub', value: subject }];
    const profile = { issuer: 'https://idp.example', subjects, emailVerified: false, ...more };
    this.answer = () => Promise.resolve(profile);
  }

  change(more: Partial<ProviderView>): void {
    this.provider = { ...this.provider, ...more, version: this.provider.version + 1 };
  }

  authorizeUrl(request: AuthorizeRequest): Promise<URL> {
    this.asked.push(request);
    const query = new URLSearchParams({ state: request.state, redirect_uri: request.redirectUri });
    return Promise.resolve(new URL(`https://idp.example/authorize?${query.toString()}`));
  }

  complete(request: CallbackRequest): Promise<ExternalProfile> {
    this.completed.push(request);
    return this.answer();
  }
}

/** Replaces the configured providers of a service. */
export class FakeProviders {
  private readonly known = new Map<string, FakeProvider>();
  private made = 0;

  constructor(...services: TestService[]) {
    for (const service of services) {
      const upstreams = service.app.get(IdentityProviderRegistry, { strict: false });
      const enabled = (): FakeProvider[] => [...this.known.values()].filter((provider) => provider.enabled);
      upstreams.find = (name) => Promise.resolve(enabled().find(({ provider }) => provider.name === name));
      upstreams.enabled = () => Promise.resolve(enabled().map(({ provider }) => provider));
      upstreams.readEnabled = () => upstreams.enabled();
      upstreams.hold = ({ id, version }) =>
        Promise.resolve(enabled().some(({ provider }) => provider.id === id && provider.version === version));
    }
  }

  /** Gives the service its configured providers again. */
  static removeFrom(service: TestService): void {
    const upstreams = service.app.get(IdentityProviderRegistry, { strict: false });
    for (const name of ['find', 'enabled', 'readEnabled', 'hold']) Reflect.deleteProperty(upstreams, name);
  }

  /** A provider with automatic registration whose next callback returns an unknown user. */
  door(more: Partial<ProviderView> = {}): FakeProvider {
    const provider = this.add({ autoRegister: true, ...more });
    provider.person(`newcomer ${this.made}`);
    return provider;
  }

  add(more: Partial<ProviderView> = {}): FakeProvider {
    this.made++;
    const name = more.name ?? `idp${this.made}`;
    const provider = new FakeProvider(name, more);
    this.known.set(name, provider);
    return provider;
  }
}

export interface CallbackAnswer {
  readonly status?: string;
  readonly temp_token?: string;
  readonly profile?: Record<string, unknown>;
  readonly code?: string;
}

/** Sends the client to the provider and returns the state parameter. */
export async function begin(client: TestClient, { provider }: UsableProvider, redirect?: string): Promise<string> {
  const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`;
  const answer = await client.get(`/api/oauth/login/${provider.name}${query}`);
  if (answer.status !== 302) throw new Error(`The login did not begin: ${answer.text}`);
  return new URL(String(answer.headers['location'])).searchParams.get('state') ?? '';
}

/** Like `begin`, but for linking to the account of the client. */
export async function beginBinding(client: TestClient, { provider }: UsableProvider): Promise<string> {
  const answer = await client.post<{ redirect: string } & Problem>('/api/oauth/bind/start', { name: provider.name });
  if (answer.status !== 200) throw new Error(`The account linking did not begin: ${answer.text}`);
  return new URL(answer.body.redirect).searchParams.get('state') ?? '';
}

/** Returns the state to the callback and asks for JSON. */
export function comeBack(
  client: TestClient,
  { provider }: UsableProvider,
  state: string,
  more: Record<string, unknown> = {},
): Promise<Answer<CallbackAnswer>> {
  return client.post<CallbackAnswer>(`/api/oauth/callback/${provider.name}`, { code: 'code', state, ...more });
}

/** Begins a login and completes its callback. */
export async function roundTrip(client: TestClient, provider: UsableProvider): Promise<Answer<CallbackAnswer>> {
  return comeBack(client, provider, await begin(client, provider));
}

/** Returns the parameters to the callback as a provider with response mode `form_post` does. */
export function comeBackByForm(
  client: TestClient,
  path: string,
  fields: Record<string, string>,
  options: SendOptions = {},
): Promise<Answer<CallbackAnswer>> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...options.headers };
  return client.send('POST', path, { ...options, raw: new URLSearchParams(fields).toString(), headers });
}

/** The session cookies that the response sets. */
export const sessionCookies = (answer: Answer<unknown>): string[] =>
  answer.setCookies.filter((line) => /^iam_(access|refresh)=[^;]/.test(line));

export const locationOf = (answer: Answer<unknown>): string => String(answer.headers['location']);

/** Expects that the callback is rejected and creates no session, account or link. */
export async function expectNothingCame(
  service: TestService,
  work: () => Promise<Answer<CallbackAnswer>>,
  code: string,
): Promise<void> {
  const count = (): Promise<unknown> =>
    service.query(
      'SELECT (SELECT count(*) FROM user_account) AS users, (SELECT count(*) FROM user_identity) AS identities',
    );
  const before = await count();
  const answer = await work();
  expect([answer.body.code, sessionCookies(answer)]).toEqual([code, []]);
  expect(await count()).toEqual(before);
}
