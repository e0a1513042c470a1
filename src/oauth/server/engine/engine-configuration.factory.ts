import { Injectable } from '@nestjs/common';
import type { Configuration, JWKS } from 'oidc-provider';
import { SecretBox } from '../../../platform/crypto';
import { GrantsService } from '../consents/grants.service';
import { FeatureConfigurationFactory, FeatureOptions } from './feature-configuration.factory';
import * as lifetimes from '../core/lifetimes';
import { OidcAccountsService } from './oidc-accounts.service';
import { OidcAdapterFactory } from './oidc-adapter.factory';
import { PromptPolicyFactory } from './prompt-policy.factory';
import { pageOf, PromptOptions } from './prompts';
import { BASE, ProtocolConfigurationFactory } from './protocol-configuration.factory';
import { ProtocolPagesService } from './protocol-pages.service';

export interface EngineOptions extends FeatureOptions, PromptOptions {
  readonly issuer: string;
  readonly jwks: JWKS;
}

const COOKIE = { httpOnly: true, sameSite: 'lax', signed: true, path: BASE } as const;

/** Configures the library: its storage, and how it finds users, logins and consents. */
@Injectable()
export class EngineConfigurationFactory {
  constructor(
    private readonly box: SecretBox,
    private readonly adapters: OidcAdapterFactory,
    private readonly protocol: ProtocolConfigurationFactory,
    private readonly features: FeatureConfigurationFactory,
    private readonly accounts: OidcAccountsService,
    private readonly prompts: PromptPolicyFactory,
    private readonly grants: GrantsService,
    private readonly pages: ProtocolPagesService,
  ) {}

  /** The ids of the keys that sign cookies. */
  get cookieKeyIds(): readonly string[] {
    return this.box.ring.kids;
  }

  create(options: EngineOptions): Configuration {
    return {
      ...this.storage(options),
      ...this.protocol.create(),
      ...this.people(options),
      features: this.features.create(options),
    };
  }

  private storage({ jwks }: EngineOptions): Configuration {
    return {
      adapter: (model) => this.adapters.create(model),
      jwks,
      cookies: {
        names: {
          session: 'castellan_oauth',
          interaction: 'castellan_oauth_interaction',
          resume: 'castellan_oauth_resume',
        },
        long: COOKIE,
        short: COOKIE,
        // The first key signs, all keys verify, so that a key change does not end pending logins.
        keys: this.box.macs('oauth_cookies', 'signature'),
      },
      ttl: {
        AccessToken: lifetimes.ACCESS_TOKEN_SECONDS,
        ClientCredentials: lifetimes.ACCESS_TOKEN_SECONDS,
        AuthorizationCode: lifetimes.CODE_SECONDS,
        IdToken: lifetimes.ID_TOKEN_SECONDS,
        RefreshToken: (_ctx, token) => lifetimes.refreshTokenSeconds(token),
        Interaction: lifetimes.INTERACTION_SECONDS,
        Session: (_ctx, { accountId }) => lifetimes.browserSessionSeconds(accountId !== undefined),
        Grant: lifetimes.GRANT_SECONDS,
      },
    };
  }

  private people({ issuer, registration }: EngineOptions): Configuration {
    return {
      findAccount: (_ctx, userId, token) => this.accounts.find(userId, issuer, token),
      loadExistingGrant: (ctx) => this.grants.load(ctx),
      interactions: {
        policy: this.prompts.create({ registration }),
        url: (_ctx, { prompt, uid }) => `${pageOf(prompt.name)}?interaction=${uid}`,
      },
      renderError: (ctx, out) => {
        this.pages.error(ctx, out);
      },
    };
  }
}
