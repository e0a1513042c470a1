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
  /** What an administrator fills in, as far as the preset leaves it open. */
  readonly configuration?: Partial<Configuration>;
  /** Plays the provider in a login that succeeds; `begun` is how it began. */
  answer(request: OutboundRequest, begun: AuthorizeRequest): Partial<OutboundAnswer>;
  /** What the callback carries beside `code`. */
  readonly callback?: Readonly<Record<string, string>>;
  /** By what the person of that login is known. */
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
  private readonly upstream: PassportIdentityProvider;
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
    this.upstream = new PassportIdentityProvider(this.provider, adapter, new ProviderCalls({ call }), this.log);
  }

  begin(): Promise<URL> {
    return this.upstream.authorizeUrl(this.begun);
  }

  async complete(): Promise<ExternalProfile> {
    const [name = 'code'] = this.under.adapter.preset.codeParameters ?? ['code'];
    const params = { ...this.under.callback, [name]: CODE };
    return this.upstream.complete({ ...this.begun, params });
  }
}

function configured({ adapter, configuration = {} }: AdapterUnderTest): ConfiguredProvider {
  const { clientId = 'client-id', clientSecret = SECRET, params = {}, ...addresses } = configuration;
  const left = { authorizeUrl: null, tokenUrl: null, userinfoUrl: null, issuer: null, scopes: null, pkce: null };
  const row = { id: 'id-1', name: 'under-test', template: adapter.template, clientId, params, mapping: {} };
  return { ...resolveProvider({ ...row, ...left, ...addresses }, adapter.preset), clientSecret };
}

async function failsHonestly(walk: Walk): Promise<void> {
  await rejects(
    walk.complete(),
    (error) => error instanceof ProblemError && ['provider_failed', 'provider_denied'].includes(error.code),
  );
  const told = JSON.stringify(walk.log.lines);
  for (const secret of [walk.provider.clientSecret, CODE].filter((text) => text !== '')) {
    equal(told.includes(secret), false, 'The log tells a secret');
  }
}

function checkPreset({ preset }: OAuthProviderAdapter): void {
  ok(preset.label.trim() !== '');
  ok(preset.mapping.subject !== '');
  const known = new Set(['client_id', 'issuer', ...preset.fields.map(({ name }) => name)]);
  for (const address of Object.values(preset.endpoints).filter((url): url is string => url !== null)) {
    match(address, /^(https:\/\/|\{)/);
    const unknown = [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => !known.has(name));
    deepEqual(unknown, [], `${address} names what no field asks for`);
  }
  for (const { name, pattern, fallback } of preset.fields) {
    match(name, /^[a-z][a-z0-9_]*$/);
    if (fallback !== undefined) match(fallback, pattern);
  }
}

type Kept = Promises<AdapterUnderTest>;

const workingLogin: Kept = {
  'has a template that the API can name': ({ adapter }) => {
    match(adapter.template, /^[a-z][a-z0-9_-]{0,49}$/);
  },
  'has a preset that is whole': ({ adapter }) => {
    checkPreset(adapter);
  },
  'leaves no address open that it needs': (under) => {
    const provider = configured(under);
    for (const name of under.adapter.requiredAddresses) notEqual(provider[name], null, name);
  },
  'sends the browser away with the state, and without a secret': async (under) => {
    const url = await new Walk(under).begin();
    ok(url.searchParams.get('state') === begun.state);
    ok([...url.searchParams.values()].includes(begun.redirectUri));
    equal(url.href.includes(SECRET), false);
  },
  'asks for a code challenge if and only if it says so': async (under) => {
    const walk = new Walk(under);
    equal((await walk.begin()).searchParams.has('code_challenge'), walk.provider.pkce);
  },
  'ends in the person who logged in': async (under) => {
    const { subjects, issuer } = await new Walk(under).complete();
    equal(subjects[0].value, under.subject);
    ok(issuer !== '');
  },
  'asks nothing of an address that is not the provider’s': async (under) => {
    const walk = new Walk(under);
    await walk.complete();
    ok(walk.asked.length > 0);
    for (const { url } of walk.asked) match(url, /^https?:\/\//);
  },
};

const failingLogin: Kept = {
  'is told by a person’s no': async (under) => {
    const refused: AdapterUnderTest = { ...under, callback: { ...under.callback, error: 'access_denied' } };
    await failsHonestly(new Walk(refused));
  },
  'fails, and keeps its secrets, at a provider that is down': async (under) => {
    await failsHonestly(new Walk(under, () => ({ status: 503, text: 'down' })));
  },
  'fails, and keeps its secrets, at an answer that is no JSON': async (under) => {
    await failsHonestly(new Walk(under, () => ({ text: `<html>${SECRET}</html>`, mediaType: 'text/html' })));
  },
  'fails, and keeps its secrets, at an answer that is empty': async (under) => {
    await failsHonestly(new Walk(under, () => ({ text: '{}' })));
  },
  'takes nobody for the person without a subject': async (under) => {
    const token = JSON.stringify({ access_token: 'token', token_type: 'Bearer', error: undefined });
    const onlyToken = ({ method }: OutboundRequest): Partial<OutboundAnswer> => ({
      text: method === 'POST' ? token : '{}',
    });
    await failsHonestly(new Walk(under, onlyToken));
  },
};

/** What every `OAuthProviderAdapter` promises: a walk through a login, against a provider that the caller plays. */
export function oauthProviderAdapterContract(make: Make<AdapterUnderTest>): ContractCase[] {
  return contractOf(make, { ...workingLogin, ...failingLogin });
}
