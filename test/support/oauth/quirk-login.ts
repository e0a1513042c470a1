import {
  OAuthProviderAdapter,
  PassportIdentityProvider,
  ProviderCalls,
  resolveProvider,
} from '../../../src/oauth/login';
import type { CallbackRequest, ConfiguredProvider, ExternalProfile } from '../../../src/oauth/login';
import { builtInAdapters } from '../../../src/oauth/login/providers/adapters';
import { Log } from '../../../src/platform/logging';
import { HostResolver, OutboundClient } from '../../../src/platform/outbound';
import { Setting, SettingsReader } from '../../../src/platform/settings';
import { Answered, Asked, ProviderSimulator, vendors } from '../provider-simulator';

class EverythingAllowed extends SettingsReader {
  get<T>(_setting: Setting<T>): Promise<T> {
    return Promise.resolve(true as T);
  }
}

class NoNames extends HostResolver {
  resolve(): Promise<never> {
    return Promise.reject(new Error('The simulator has no host name'));
  }
}

/** Collects the logged reasons of failed logins. */
class Reasons extends Log {
  last: unknown;
  debug(): void {}
  info(): void {}
  error(): void {}
  warn(_message: string, fields: { why?: unknown } = {}): void {
    this.last = fields.why;
  }
  child(): Log {
    return this;
  }
}

/** Stored fields of a provider. Missing ones come from the template. */
export interface Given {
  readonly client_secret?: string;
  readonly scopes?: readonly string[];
  readonly params?: Readonly<Record<string, string>>;
  readonly mapping?: Partial<ConfiguredProvider['mapping']>;
  readonly issuer?: string;
}

export const REDIRECT_URI = 'https://id.example.com/api/oauth/callback/x';
const NONCE = 'the nonce';
const VERIFIER = 'v'.repeat(43);

export function adapterOf(template: string): OAuthProviderAdapter {
  const adapter = builtInAdapters.map((Adapter) => new Adapter()).find((known) => known.template === template);
  if (!adapter) throw new Error(`No adapter of ${template}`);
  return adapter;
}

/** A provider as its row and its template define it, without addresses of a simulator. */
export function configured(
  template: string,
  { client_secret: clientSecret = 's', ...given }: Given = {},
): ConfiguredProvider {
  return { ...resolved(template, { client_id: 'id', ...given }), clientSecret };
}

function resolved(template: string, given: Readonly<Record<string, unknown>>): ReturnType<typeof resolveProvider> {
  const text = (name: string): string | null => (given[name] as string | undefined) ?? null;
  return resolveProvider(
    {
      ...{ id: 'the row', name: template, template, clientId: text('client_id') ?? '' },
      ...{ authorizeUrl: text('authorize_url'), tokenUrl: text('token_url'), userinfoUrl: text('userinfo_url') },
      issuer: text('issuer'),
      scopes: (given['scopes'] as string[] | undefined) ?? null,
      mapping: (given['mapping'] as ConfiguredProvider['mapping'] | undefined) ?? {},
      params: (given['params'] as Record<string, string> | undefined) ?? {},
      pkce: null,
      withoutUserinfo: false,
    },
    adapterOf(template).preset,
  );
}

/** Runs the adapter of a provider against the simulator, without the database and HTTP API of the service. */
export class QuirkLogin {
  readonly upstream: PassportIdentityProvider;
  private readonly reasons = new Reasons();
  private readonly provider: ConfiguredProvider;

  constructor(
    private readonly simulator: ProviderSimulator,
    private readonly template: string,
    given: Given = {},
  ) {
    const { params, ...rest } = simulator.configuration(template) as { params?: object; client_secret: string };
    const whole = { ...rest, ...given, params: { ...params, ...given.params } };
    this.provider = { ...resolved(template, whole), clientSecret: whole.client_secret };
    const calls = new ProviderCalls(new OutboundClient(new EverythingAllowed(), new NoNames()));
    this.upstream = new PassportIdentityProvider(this.provider, adapterOf(template), calls, this.reasons);
  }

  /** The address that the browser is sent to. */
  begin(): Promise<URL> {
    return this.upstream.authorizeUrl({ ...this.common(), state: 'the state' });
  }

  /** Completes a login and returns the profile. */
  async profile(bringBack: (params: Record<string, string>) => object = (params) => params): Promise<ExternalProfile> {
    const { params } = await this.simulator.visit(await this.begin());
    return this.upstream.complete({ ...this.common(), params: bringBack({ ...params }) as CallbackRequest['params'] });
  }

  /** The logged reason of a login that fails. */
  async failure(...way: Parameters<QuirkLogin['profile']>): Promise<unknown> {
    this.reasons.last = undefined;
    const code = await this.profile(...way).then(
      () => 'logged in',
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );
    return this.reasons.last ?? code;
  }

  /** Changes the response of the vendor's route. */
  alter(route: string, change: (answer: Answered, asked: Asked) => Answered): void {
    const original = vendors.find(({ template }) => template === this.template)?.routes(this.simulator)[route];
    if (!original) throw new Error(`${this.template} has no ${route}`);
    this.simulator.override(route, async (asked) => change(await original(asked), asked));
  }

  /** Changes the JSON object that the vendor's route returns. */
  alterJson(route: string, change: (value: Record<string, unknown>, asked: Asked) => object): void {
    this.alter(route, (answer, asked) => ({
      ...answer,
      body: JSON.stringify(change(JSON.parse(answer.body) as Record<string, unknown>, asked)),
    }));
  }

  private common(): { redirectUri: string; nonce: string; codeVerifier?: string } {
    return { redirectUri: REDIRECT_URI, nonce: NONCE, ...(this.provider.pkce && { codeVerifier: VERIFIER }) };
  }
}
