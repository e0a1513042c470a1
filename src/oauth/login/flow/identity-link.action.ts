import { Injectable, OnModuleInit } from '@nestjs/common';
import { ActionLogin, PostLoginAction, PostLoginActionHandler, PostLoginActionRegistry } from '../../../auth/login';
import { EmailAddress, UserView } from '../../../users';
import { IdentitiesService, ExternalIdentity, mayBeLinked } from '../identities';
import { ExternalProfile, IdentityProviderRegistry } from '../providers';
import { oauthErrors } from '../third-party-login.errors';
import { AccountLink, AccountLinkTokensService } from './account-link-tokens.service';

interface Payload {
  readonly provider: { readonly id: string; readonly version: number; readonly name: string };
  readonly profile: ExternalProfile;
  /** The key of the e-mail address by which the account was found. */
  readonly emailKey?: string;
  /** The id of the temp token with which the account was chosen. */
  readonly ticketId?: string;
}

/** Links a third-party identity to the account that has just logged in. */
@Injectable()
export class IdentityLinkAction implements PostLoginActionHandler, OnModuleInit {
  readonly kind = 'oauth.link';

  constructor(
    private readonly identities: IdentitiesService,
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly linkTokens: AccountLinkTokensService,
    private readonly registry: PostLoginActionRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.add(this);
  }

  /** @param matched the e-mail address by which the account was found. Undefined: the identity is already linked. */
  forIdentity({ provider, profile }: ExternalIdentity, matched?: EmailAddress): PostLoginAction {
    const payload = { provider: seen(provider), profile, ...(matched && { emailKey: matched.key }) };
    return this.action(payload, true);
  }

  /** The request with the second factor must present the temp token again. */
  forLink({ id: ticketId, provider, profile }: AccountLink): PostLoginAction {
    return this.action({ provider: seen(provider), profile, ticketId }, false);
  }

  /**
   * Checks again what held at the start of the login, which counts as one by the provider if it links. An identity that
   * may not be linked is left out. Errors: `createError`, `temp_token_invalid`, `identity_taken`.
   */
  async run(user: UserView, payload: string, { method, createError }: ActionLogin): Promise<string | undefined> {
    const { provider: known, profile, emailKey, ticketId } = JSON.parse(payload) as Payload;
    const changed = ticketId === undefined ? createError : oauthErrors.tempTokenInvalid;
    const provider = (await this.identityProviders.find(known.name))?.provider;
    if (provider?.id !== known.id || provider.version !== known.version) throw changed();
    const identity = { provider, profile };
    if (ticketId !== undefined) {
      await this.linkTokens.consume({ id: ticketId });
      const session = { userId: user.id, loginMethod: method };
      const mayLink = mayBeLinked(identity, user) && (await this.identities.isLinkable(session, provider, user));
      if (!mayLink) return undefined;
    } else if (!(await this.isTheirs(user, identity, emailKey))) throw changed();
    await this.identities.link(user, identity, changed);
    return `oauth:${provider.name}`;
  }

  private async isTheirs(user: UserView, identity: ExternalIdentity, emailKey: string | undefined): Promise<boolean> {
    if (emailKey !== undefined) return user.emailVerified && user.emailKey === emailKey;
    return (await this.identities.find(identity))?.userId === user.id;
  }

  private action(payload: Payload, isKeptForMfa: boolean): PostLoginAction {
    return { kind: this.kind, payload: JSON.stringify(payload), isKeptForMfa };
  }
}

const seen = ({ id, version, name }: ExternalIdentity['provider']): Payload['provider'] => ({ id, version, name });
