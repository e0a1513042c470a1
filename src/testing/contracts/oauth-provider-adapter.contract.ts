import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { PassportIdentityProvider, ProviderCalls, resolveProvider } from '../../oauth';
import type { AuthorizeRequest, ConfiguredProvider, OAuthProviderAdapter, ExternalProfile } from '../../oauth';
import { ProblemError } from '../../platform/errors';
import type { OutboundAnswer, OutboundRequest } from '../../platform/outbound';
import { RecordingLog } from '../recording-log';
import { ContractCase, contractOf, Make, Promises, UnderTest } from './contract-case';

type Configuration = Pick<
  ConfiguredProvider,
  'clientId' | 'clientSecret' | 'authorizeUrl' | 'tokenUrl' | 'userinfoUrl' | 'issuer' | 'params'
>;

export interface AdapterUnderTest extends UnderTest {
  readonly adapter: OAuthProviderAdapter;
  /** The values that an administrator fills in. */
  readonly configuration?: Partial<Configuration>;
  /** The provider's response in a successful login that started with `begun`. */
  answer(request: OutboundRequest, begun: AuthorizeRequest): Partial<OutboundAnswer>;
  /** The parameters of the callback in addition to `code`. */
  readonly callback?: Readonly<Record<string, string>>;
  /** The subject of the user of that login. */
  readonly subject: string;
}

const SECRET = 'cAnArY-client-secret';
const CODE = 'cAnArY-code';
const begun: AuthorizeRequest = {
  redirectUri: 'https://id.example/api/oauth/callback/under-test',
  state: 'the-state-of-this-login',
  nonce: 'the-nonce-of-this-login',
};
const VERIFIER = 'a-code-verifier-of-43-characters-or-more-0123456789';

class Walk {
  readonly log = new RecordingLog();
  readonly asked: OutboundRequest[] = [];
  readonly provider: ConfiguredProvider;
  private readonly identityProvider: PassportIdentityProvider;
  private readonly begun: AuthorizeRequest;

  constructor(
    private readonly under: AdapterUnderTest,
    answer: AdapterUnderTest['answer'] = (request, how) => under.answer(request, how),
  ) {
    const { adapter } = under;
    this.provider = configured(under);
    this.begun = { ...begun, ...(this.provider.pkce && { codeVerifier: VERIFIER }) };
    const call = async (request: OutboundRequest): Promise<OutboundAnswer> => {
      this.asked.push(request);
      return { status: 200, mediaType: 'application/json', text: '{}', ...answer(request, this.begun) };
    };
    this.identityProvider = new PassportIdentityProvider(this.provider, adapter, new ProviderCalls({ call }), this.log);
  }

  begin(): Promise<URL> {
    return this.identityProvider.authorizeUrl(this.begun);
  }

  async complete(): Promise<ExternalProfile> {
    const [name = 'code'] = this.under.adapter.preset.codeParameters ?? ['code'];
    const params = { ...this.under.callback, [name]: CODE };
    return this.identityProvider.complete({ ...this.begun, params });
  }
}

function configured({ adapter, configuration = {} }: AdapterUnderTest): ConfiguredProvider {
  const { clientId = 'client-id', clientSecret = SECRET, params = {}, ...addresses } = configuration;
  const left = {
    authorizeUrl: null,
    tokenUrl: null,
    userinfoUrl: null,
    issuer: null,
    scopes: null,
    pkce: null,
    withoutUserinfo: false,
  };
  const row = { id: 'id-1', name: 'under-test', template: adapter.template, clientId, params, mapping: {} };
  return { ...resolveProvider({ ...row, ...left, ...addresses }, adapter.preset), clientSecret };
}

async function failsHonestly(walk: Walk): Promise<void> {
  await rejects(
    walk.complete(),
    (error) => error instanceof ProblemError && ['provider_failed', 'provider_denied'].includes(error.code),
  );
  const log = JSON.stringify(walk.log.lines);
  for (const secret of [walk.provider.clientSecret, CODE].filter((text) => text !== '')) {
    equal(log.includes(secret), false, 'The log contains a secret');
  }
}

function checkPreset({ preset }: OAuthProviderAdapter): void {
  ok(preset.label.trim() !== '');
  ok(preset.mapping.subject !== '');
  const known = new Set(['client_id', 'issuer', ...preset.fields.map(({ name }) => name)]);
  for (const address of Object.values(preset.endpoints).filter((url): url is string => url !== null)) {
    match(address, /^(https:\/\/|\{)/);
    const unknown = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !known.has(name));
    deepEqual(unknown, [], `${address} contains an unknown parameter`);
  }
  for (const { name, pattern, fallback } of preset.fields) {
    match(name, /^[a-z][a-z0-9_]*$/);
    if (fallback !== undefined) match(fallback, pattern);
  }
}

type Kept = Promises<AdapterUnderTest>;

const workingLogin: Kept = {
  'has a valid template name': ({ adapter }) => {
    match(adapter.template, /^[a-z][a-z0-9_-]{0,49}$/);
  },
  'has a complete preset': ({ adapter }) => {
    checkPreset(adapter);
  },
  'has every required endpoint': (under) => {
    const provider = configured(under);
    for (const name of under.adapter.requiredAddresses) notEqual(provider[name], null, name);
  },
  'puts the state but no secret in the authorization URL': async (under) => {
    const url = await new Walk(under).begin();
    ok(url.searchParams.get('state') === begun.state);
    ok([...url.searchParams.values()].includes(begun.redirectUri));
    equal(url.href.includes(SECRET), false);
  },
  'sends a code challenge if and only if PKCE is on': async (under) => {
    const walk = new Walk(under);
    equal((await walk.begin()).searchParams.has('code_challenge'), walk.provider.pkce);
  },
  'returns the user who logged in': async (under) => {
    const { subjects, issuer } = await new Walk(under).complete();
    equal(subjects[0].value, under.subject);
    ok(issuer !== '');
  },
  'calls only http and https URLs': async (under) => {
    const walk = new Walk(under);
    await walk.complete();
    ok(walk.asked.length > 0);
    for (const { url } of walk.asked) match(url, /^https?:\/\//);
  },
};

const failingLogin: Kept = {
  'fails when the user denies consent': async (under) => {
    const denied: AdapterUnderTest = { ...under, callback: { ...under.callback, error: 'access_denied' } };
    await failsHonestly(new Walk(denied));
  },
  'fails without leaking secrets when the provider is down': async (under) => {
    await failsHonestly(new Walk(under, () => ({ status: 503, text: 'down' })));
  },
  'fails without leaking secrets for a response that is not JSON': async (under) => {
    await failsHonestly(new Walk(under, () => ({ text: `<html>${SECRET}</html>`, mediaType: 'text/html' })));
  },
  'fails without leaking secrets for an empty response': async (under) => {
    await failsHonestly(new Walk(under, () => ({ text: '{}' })));
  },
  'rejects a profile without a subject': async (under) => {
    const token = JSON.stringify({ access_token: 'token', token_type: 'Bearer', error: undefined });
    const onlyToken = ({ method }: OutboundRequest): Partial<OutboundAnswer> => ({
      text: method === 'POST' ? token : '{}',
    });
    await failsHonestly(new Walk(under, onlyToken));
  },
};

/** The contract of every `OAuthProviderAdapter`: the steps of a login, with a provider that the caller simulates. */
export function oauthProviderAdapterContract(make: Make<AdapterUnderTest>): ContractCase[] {
  return contractOf(make, { ...workingLogin, ...failingLogin });
}
