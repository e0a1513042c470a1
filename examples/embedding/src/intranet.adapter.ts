import { Injectable } from '@nestjs/common';
import { NO_CLAIMS, OAuthProviderAdapter } from 'castellan';
import type { Claims, ProviderContext, ProviderPreset, TokenAnswer } from 'castellan';

/** OAuth 2.0 login of the intranet. Its userinfo endpoint expects the token as a form field and nests the claims. */
@Injectable()
export class IntranetAdapter extends OAuthProviderAdapter {
  readonly template = 'intranet';
  readonly preset: ProviderPreset = {
    label: 'Intranet',
    endpoints: {
      authorizeUrl: 'https://{domain}/oauth/authorize',
      tokenUrl: 'https://{domain}/oauth/token',
      userinfoUrl: 'https://{domain}/api/whoami',
      issuer: 'https://{domain}',
    },
    scopes: ['whoami'],
    mapping: { ...NO_CLAIMS, subject: 'person.number', nickname: 'person.name' },
    pkce: true,
    emailTrust: 'never',
    fields: [{ name: 'domain', required: true, pattern: /^[a-z0-9.-]{3,100}$/ }],
  };

  override async claims({ endpoints, calls }: ProviderContext, { accessToken }: TokenAnswer): Promise<Claims> {
    return calls.postForm('whoami', endpoints.userinfoUrl ?? '', { token: accessToken });
  }
}
