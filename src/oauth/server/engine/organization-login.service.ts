import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { isAccepted, RequestedOrganizationService } from '../claims/requested-organization.service';
import { interactionPolicy } from '../core/library';
import { loginOf } from '../core/request';

/** The reason to ask a logged-in user to log in again: the organization does not accept the login method. */
export const OTHER_LOGIN_WANTED = 'organization_login';

/** Asks for another login where the organization of the request does not accept the one of the session. */
@Injectable()
export class OrganizationLoginService {
  constructor(private readonly organizations: RequestedOrganizationService) {}

  /**
   * The same for members and others, so that the application does not learn of memberships before the consent. Asks once: a
   * login that is still not accepted is rejected with the membership.
   */
  check(): interactionPolicy.Check {
    return new interactionPolicy.Check(
      OTHER_LOGIN_WANTED,
      'the organization accepts other login methods',
      'login_required',
      (ctx) => this.isAnotherWanted(ctx),
    );
  }

  /** Whether the login after a registration, by password, counts for the request. */
  async isPasswordAccepted({ oidc }: KoaContextWithOIDC): Promise<boolean> {
    const overlay = await this.organizations.overlayOf(oidc.params);
    return overlay === undefined || isAccepted(overlay, 'password');
  }

  private async isAnotherWanted({ req, oidc }: KoaContextWithOIDC): Promise<boolean> {
    if (oidc.session?.accountId === undefined || oidc.result?.login) return false;
    const overlay = await this.organizations.overlayOf(oidc.params);
    return overlay !== undefined && !isAccepted(overlay, loginOf(req)?.loginMethod);
  }
}
