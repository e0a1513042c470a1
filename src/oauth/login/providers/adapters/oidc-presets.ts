import { IdTokenRules, signEs256Jwt } from '../../../../platform/crypto';
import { fullName } from '../../../../users';
import { ConfiguredProvider } from '../configured-provider';
import { ProviderContext, TokenAnswer } from '../oauth-provider-adapter';
import { OPENID_CLAIMS, ProviderPreset } from '../preset';
import { Claims, parseClaims } from '../provider-calls';
import { AuthorizeRequest, CallbackRequest } from '../identity-provider';
import { OidcAdapter } from './oidc.adapter';

/** https://developers.google.com/identity/openid-connect/openid-connect */
export class GoogleAdapter extends OidcAdapter {
  override readonly template = 'google';

  override readonly preset: ProviderPreset = {
    label: 'Google',
    endpoints: {
      authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      userinfoUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
      issuer: 'https://accounts.google.com',
    },
    scopes: ['openid', 'profile', 'email'],
    mapping: { ...OPENID_CLAIMS, nickname: 'name' },
    pkce: true,
    emailTrust: 'boolean',
    fields: [],
  };
}

const TENANT_ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const TENANT = new RegExp(`^${TENANT_ID}$`);
const ISSUER_PLACE = '{tenantid}';

/**
 * https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc. Each tenant has its own issuer and can put any
 * e-mail address in its tokens, so the address never counts as verified.
 */
export class MicrosoftAdapter extends OidcAdapter {
  override readonly template = 'microsoft';

  override readonly preset: ProviderPreset = {
    label: 'Microsoft',
    endpoints: {
      authorizeUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize',
      tokenUrl: 'https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token',
      userinfoUrl: null,
      issuer: 'https://login.microsoftonline.com/{tenant}/v2.0',
    },
    scopes: ['openid', 'profile', 'email'],
    mapping: { ...OPENID_CLAIMS, subject: 'oid|sub', email_verified: null, nickname: 'name', avatar: null },
    pkce: true,
    emailTrust: 'never',
    fields: [{ name: 'tenant', required: false, pattern: /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/, fallback: 'common' }],
  };

  /** The id_token has all claims that are used. Graph would need another token. */
  override claims(context: ProviderContext, token: TokenAnswer, request: CallbackRequest): Promise<Claims> {
    return super.claims({ ...context, endpoints: { ...context.endpoints, userinfoUrl: null } }, token, request);
  }

  /** A configured tenant name is replaced by the tenant id in tokens, so only the host and the form must match. */
  protected override isIssuer(named: string, issuer: string): boolean {
    if (!URL.canParse(named) || new URL(named).origin !== new URL(issuer).origin) return false;
    return new RegExp(`^/(\\{tenantid\\}|${TENANT_ID})/v2\\.0$`).test(decodeURI(new URL(named).pathname));
  }

  protected override issuerRule(issuer: string): IdTokenRules['issuer'] {
    return ({ tid }) => {
      if (typeof tid !== 'string' || !TENANT.test(tid)) return undefined;
      return issuer.replace(ISSUER_PLACE, tid);
    };
  }
}

const SECRET_SECONDS = 300;

/** https://developer.apple.com/documentation/signinwithapplerestapi */
export class AppleAdapter extends OidcAdapter {
  override readonly template = 'apple';

  override readonly preset: ProviderPreset = {
    label: 'Apple',
    endpoints: {
      authorizeUrl: 'https://appleid.apple.com/auth/authorize',
      tokenUrl: 'https://appleid.apple.com/auth/token',
      userinfoUrl: null,
      issuer: 'https://appleid.apple.com',
    },
    scopes: ['name', 'email'],
    mapping: { ...OPENID_CLAIMS, nickname: 'name', avatar: null },
    pkce: false,
    emailTrust: 'boolean_or_text',
    fields: [
      { name: 'team_id', required: true, pattern: /^[A-Z0-9]{10}$/ },
      { name: 'key_id', required: true, pattern: /^[A-Z0-9]{10}$/ },
    ],
    formPost: true,
  };

  override authorizeParameters(
    provider: ConfiguredProvider,
    request: AuthorizeRequest,
  ): Readonly<Record<string, string>> {
    return { ...super.authorizeParameters(provider, request), response_mode: 'form_post' };
  }

  override checkSecret(provider: ConfiguredProvider): void {
    this.clientSecret(provider);
  }

  /** Signs the JWT that Apple expects as client secret, with the private key that is stored as the secret. */
  override clientSecret({ clientId, clientSecret, params, issuer }: ConfiguredProvider): string {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: params['team_id'], sub: clientId, aud: issuer, iat: now, exp: now + SECRET_SECONDS };
    return signEs256Jwt({ kid: params['key_id'] }, claims, clientSecret);
  }

  /**
   * Apple sends the name only with the first consent, unsigned and through the browser, so it is used only as a
   * nickname.
   */
  override async claims(context: ProviderContext, token: TokenAnswer, request: CallbackRequest): Promise<Claims> {
    const claims = await super.claims(context, token, request);
    return { ...claims, name: nameIn(request.params['user']) };
  }
}

function nameIn(user: string | undefined): string | undefined {
  if (user === undefined) return undefined;
  try {
    const { firstName, lastName } = (parseClaims(user, 'user')['name'] ?? {}) as Record<string, unknown>;
    const textOf = (part: unknown): string | undefined => (typeof part === 'string' ? part : undefined);
    return fullName(textOf(firstName), textOf(lastName));
  } catch {
    return undefined;
  }
}
