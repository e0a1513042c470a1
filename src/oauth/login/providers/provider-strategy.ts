import { PassportStrategy } from '@nestjs/passport';
import { Passport } from 'passport';
import OAuth2Strategy from 'passport-oauth2';
import { sha256 } from '../../../platform/crypto';
import { isJsonObject, parseForeignJson } from '../../../platform/util';
import { buildProfile } from './build-profile';
import {
  CodeExchange,
  OAuthProviderAdapter,
  ProviderContext,
  TokenAnswer,
  tokenAnswer,
} from './oauth-provider-adapter';
import { Claims, rejectStatedError } from './provider-calls';
import { ProviderFailure } from './provider-failure';
import { AuthorizeRequest, CallbackRequest, ExternalProfile } from './identity-provider';

/** The request that passport sees, independent of HTTP. */
export interface StrategyRequest {
  readonly query: Readonly<Record<string, string>>;
  readonly callback?: CallbackRequest;
}

export interface StrategyOptions {
  readonly session: false;
  readonly callbackURL: string;
  readonly state?: string;
  readonly authorize?: AuthorizeRequest;
  readonly codeVerifier?: string;
}

/** The internals of the library's client that are replaced here. Its types do not declare them. */
interface OAuth2Client {
  _clientSecret: string;
  getOAuthAccessToken(code: string, params: Params, done: TokenCallback): void;
  _executeRequest(library: unknown, options: RequestOptions, body: string | null, done: AnswerCallback): void;
}
type Params = Record<string, string>;
type TokenCallback = (error: unknown, accessToken?: string, refreshToken?: string, values?: Claims) => void;
type AnswerCallback = (error: unknown, text?: string) => void;

interface RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string | number>>;
}

/**
 * JSON that the library reads without losing digits of ids. It fails on JSON that is not an object. A form stays as it
 * is, because it is not JSON.
 */
function readableByLibrary(text: string): string {
  let value: unknown;
  try {
    value = parseForeignJson(text);
  } catch {
    return text;
  }
  if (!isJsonObject(value)) throw new ProviderFailure('token: not a JSON object');
  return JSON.stringify(value);
}

/**
 * passport-oauth2 for one version of one provider. Its own requests have no timeout and no size limit, so they go
 * through `ProviderCalls` instead. Uses its own passport instance, not the host application's.
 */
export class ProviderStrategy extends PassportStrategy(OAuth2Strategy, 'upstream', 6) {
  /** Set by the base constructor, so a field initializer would overwrite it. */
  declare private passport?: InstanceType<typeof Passport>;

  constructor(
    private readonly adapter: OAuthProviderAdapter,
    private readonly context: ProviderContext,
  ) {
    super({
      authorizationURL: context.endpoints.authorizeUrl,
      tokenURL: context.endpoints.tokenUrl,
      clientID: context.provider.clientId,
      clientSecret: context.provider.clientSecret,
      ...(context.provider.scopes.length > 0 && { scope: [...context.provider.scopes] }),
      scopeSeparator: adapter.preset.scopeSeparator ?? ' ',
      skipUserProfile: true,
      passReqToCallback: true,
    });
    this.takeOver(this._oauth2 as unknown as OAuth2Client);
  }

  getPassportInstance(): InstanceType<typeof Passport> {
    this.passport ??= new Passport();
    return this.passport;
  }

  override authorizationParams({ authorize }: StrategyOptions): object {
    if (!authorize) return {};
    const { codeVerifier } = authorize;
    return {
      ...this.adapter.authorizeParameters(this.context.provider, authorize),
      // RFC 7636 §4.2.
      ...(codeVerifier !== undefined && { code_challenge: sha256(codeVerifier), code_challenge_method: 'S256' }),
    };
  }

  override tokenParams({ codeVerifier }: StrategyOptions): object {
    return codeVerifier === undefined ? {} : { code_verifier: codeVerifier };
  }

  /** Passport calls the profile "user". */
  async validate(
    request: StrategyRequest,
    accessToken: string,
    _refreshToken: string,
    values: Claims,
  ): Promise<ExternalProfile> {
    if (!request.callback) throw new Error('The code exchange has no callback request');
    const { provider } = this.context;
    const claims = await this.adapter.claims(this.context, { accessToken, values }, request.callback);
    return buildProfile(claims, this.adapter.issuer(this.context, claims), {
      mapping: provider.mapping,
      preset: this.adapter.preset,
    });
  }

  private takeOver(client: OAuth2Client): void {
    const standard = client.getOAuthAccessToken.bind(client);
    client._executeRequest = (_library, options, body, done) => {
      this.execute(options, body)
        .then((text) => {
          done(null, readableByLibrary(text));
        })
        // Also catches errors of the callback, which would otherwise be unhandled and end the process.
        .catch(done);
    };
    client.getOAuthAccessToken = (code, params, done) => {
      const byStandard = (): Promise<TokenAnswer> =>
        new Promise((resolve, reject) => {
          client._clientSecret = this.adapter.clientSecret(this.context.provider);
          standard(code, params, (error, _accessToken, _refreshToken, values = {}) => {
            if (error) reject(error instanceof Error ? error : new ProviderFailure('token'));
            else resolve({ accessToken: '', values });
          });
        });
      this.exchange(code, params, byStandard)
        .then(({ accessToken, values }) => {
          done(null, accessToken, undefined, values);
        })
        .catch(done);
    };
  }

  private async exchange(code: string, params: Params, standard: () => Promise<TokenAnswer>): Promise<TokenAnswer> {
    const { redirect_uri: redirectUri = '', code_verifier: codeVerifier } = params;
    const exchange: CodeExchange = { code, redirectUri, ...(codeVerifier !== undefined && { codeVerifier }) };
    return this.adapter.exchange(this.context, exchange, async () => {
      const { values } = await standard();
      rejectStatedError(values);
      return tokenAnswer(values);
    });
  }

  /** The library calls only the token endpoint. */
  private execute({ method, headers }: RequestOptions, body: string | null): Promise<string> {
    const type = headers['Content-Type'];
    return this.context.calls.text('token', {
      url: this.context.endpoints.tokenUrl,
      method,
      ...(typeof type === 'string' && { headers: { 'content-type': type } }),
      ...(body !== null && { body }),
    });
  }
}
