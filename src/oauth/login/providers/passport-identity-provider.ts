import { isDeepStrictEqual } from 'node:util';
import { ProblemError } from '../../../platform/errors';
import { Log } from '../../../platform/logging';
import { ConfiguredProvider } from './configured-provider';
import { LoginEndpoints, OAuthProviderAdapter, ProviderContext } from './oauth-provider-adapter';
import { fillParameters } from './parameters';
import { ProviderCalls } from './provider-calls';
import { reasonOf } from './provider-failure';
import { ProviderStrategy } from './provider-strategy';
import { runStrategy, withinDeadline } from './run-strategy';
import { authorizationServerErrors } from './providers.errors';
import { AuthorizeRequest, CallbackRequest, IdentityProvider, ExternalProfile } from './identity-provider';

interface BuiltStrategy {
  readonly endpoints: LoginEndpoints;
  readonly context: ProviderContext;
  readonly strategy: ProviderStrategy;
}

/** A provider through passport. It has one strategy for each version of the row and of the discovery document. */
export class PassportIdentityProvider extends IdentityProvider {
  private built: BuiltStrategy | undefined;

  constructor(
    private readonly provider: ConfiguredProvider,
    private readonly adapter: OAuthProviderAdapter,
    private readonly calls: ProviderCalls,
    private readonly log: Log,
  ) {
    super();
  }

  get answersByFormPost(): boolean {
    return this.adapter.preset.formPost ?? false;
  }

  authorizeUrl(request: AuthorizeRequest): Promise<URL> {
    return this.guarded(async () => {
      const { strategy } = await this.ready();
      const { redirectUri: callbackURL, state } = request;
      const outcome = await runStrategy(
        strategy,
        { query: {} },
        { session: false, callbackURL, state, authorize: request },
      );
      if (!('redirect' in outcome)) throw new Error('The start of a login must be a redirect');
      return this.shape(new URL(outcome.redirect));
    });
  }

  complete(request: CallbackRequest): Promise<ExternalProfile> {
    return this.guarded(async () => {
      const { params, redirectUri, codeVerifier } = request;
      if (params['error'] !== undefined) throw authorizationServerErrors.providerDenied();
      const code = this.codeIn(params);
      const { strategy, context } = await this.ready();
      this.adapter.checkCallback(context, request);
      const outcome = await runStrategy(
        strategy,
        { query: { code }, callback: request },
        { session: false, callbackURL: redirectUri, ...(codeVerifier !== undefined && { codeVerifier }) },
      );
      if (!('profile' in outcome)) throw new Error('The exchange of a code must return a profile');
      return outcome.profile;
    });
  }

  private codeIn(params: CallbackRequest['params']): string {
    const names = this.adapter.preset.codeParameters ?? ['code'];
    const code = names.map((name) => params[name]).find((value) => value !== undefined && value !== '');
    // WeChat and others return users who deny consent without a code and without an error.
    if (code === undefined) throw authorizationServerErrors.providerDenied();
    return code;
  }

  private async ready(): Promise<BuiltStrategy> {
    const endpoints = await this.adapter.endpoints(this.provider, this.calls);
    if (this.built && isDeepStrictEqual(this.built.endpoints, endpoints)) return this.built;
    const context = { provider: this.provider, endpoints, calls: this.calls };
    this.built = { endpoints, context, strategy: new ProviderStrategy(this.adapter, context) };
    return this.built;
  }

  /** Renames passport's standard parameters to the provider's names. */
  private shape(url: URL): URL {
    const { names = {}, omit = [], extra = {}, fragment = '' } = this.adapter.preset.authorize ?? {};
    for (const name of omit) url.searchParams.delete(name);
    for (const [standard, own] of Object.entries(names)) rename(url.searchParams, standard, own);
    for (const [name, pattern] of Object.entries(extra)) {
      url.searchParams.set(name, fillParameters(pattern, this.provider));
    }
    url.hash = fragment;
    return url;
  }

  /** Maps every failure at the provider to one error, within the deadline. The log has the reason. */
  private async guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await withinDeadline(work);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      this.log.warn('Login provider failed', { provider: this.provider.name, why: reasonOf(error) });
      throw authorizationServerErrors.providerFailed();
    }
  }
}

function rename(parameters: URLSearchParams, from: string, to: string): void {
  const value = parameters.get(from);
  if (value === null) return;
  parameters.delete(from);
  parameters.set(to, value);
}
