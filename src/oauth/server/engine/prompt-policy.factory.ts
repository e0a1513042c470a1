import { Injectable } from '@nestjs/common';
import { AuthenticationContextService } from './authentication-context.service';
import { hintedUser } from './hinted-user';
import { interactionPolicy } from '../core/library';
import { nativeConsent } from './native-consent';
import { OidcAccountsService } from './oidc-accounts.service';
import { OrganizationLoginService } from './organization-login.service';
import { accountCreation, accountSelection, PromptOptions } from './prompts';
import { TokenOrganizationService } from './token-organization.service';

/** Decides when an authorization request needs the user, and when it ends without tokens. */
@Injectable()
export class PromptPolicyFactory {
  constructor(
    private readonly contexts: AuthenticationContextService,
    private readonly accounts: OidcAccountsService,
    private readonly organizations: TokenOrganizationService,
    private readonly organizationLogins: OrganizationLoginService,
  ) {}

  create({ registration }: PromptOptions): interactionPolicy.DefaultPolicy {
    const policy = interactionPolicy.base();
    policy.get('login')?.checks.remove('id_token_hint');
    policy.get('login')?.checks.add(this.contexts.check());
    policy.get('login')?.checks.add(hintedUser());
    policy.get('login')?.checks.add(this.organizationLogins.check());
    policy.get('consent')?.checks.remove('native_client_prompt');
    policy.get('consent')?.checks.add(nativeConsent());
    policy.get('consent')?.checks.add(this.accounts.admissionCheck());
    policy.add(accountSelection(), 0);
    const creation = accountCreation((ctx) => this.organizationLogins.isPasswordAccepted(ctx));
    if (registration) policy.add(creation, 0);
    policy.add(this.organizations.prompt());
    return policy;
  }
}
