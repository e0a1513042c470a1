import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { AccessToken, ClientCredentials, JWTStructured } from 'oidc-provider';
import { LOGIN_METHOD_CLAIM } from '../../../platform/crypto';
import { ClaimPlace } from '../clients/client-claims';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { Claims } from '../claims/claim-size';
import { MappedClaimsService } from '../claims/mapped-claims.service';
import { OrganizationClaimsService } from '../claims/organization-claims.service';
import { nameGrant } from './access-token-grant';
import { grantedScope } from './id-token-claims';
import { Provider as Library } from '../core/library';
import { before } from '../core/patch-errors';
import { loginMethodInUse } from './token-login';
import { organizationInUse } from './token-organization.service';

/** Parts of the library's classes that its types do not declare. */
interface IdToken {
  set(name: string, value: unknown): void;
}

interface ClaimsClass {
  readonly prototype: { result: (this: object) => Promise<Record<string, unknown>> };
}

interface Entities {
  readonly Account?: { readonly accountId: string };
  readonly Client?: { readonly clientId: string };
  readonly AccessToken?: { readonly scope?: string; readonly organizationId?: string };
  readonly Grant?: { getOIDCScopeFiltered(scopes: ReadonlySet<string>): string };
}

const entitiesNow = (): Entities => (Library.ctx?.oidc.entities ?? {}) as unknown as Entities;

/** Adds the mapped claims of clients, and those about an organization, to what the library issues. */
@Injectable()
export class TokenClaimsService {
  constructor(
    private readonly clients: ClientCache,
    private readonly mapped: MappedClaimsService,
    private readonly organizations: OrganizationClaimsService,
  ) {}

  install(provider: Provider): void {
    before<IdToken>(provider.IdToken.prototype, 'issue', async (token) => {
      // Undefined for a logout token, which is not about a grant.
      const scope = grantedScope();
      if (scope === undefined) return;
      const claims = await this.compose('id_token', scope, organizationInUse());
      for (const [name, value] of Object.entries(claims)) token.set(name, value);
    });
    this.addToUserinfo((provider as unknown as { Claims: ClaimsClass }).Claims);
  }

  /** Completes the payload of a JWT access token. */
  async completeJwt(ctx: unknown, token: AccessToken | ClientCredentials, jwt: JWTStructured): Promise<void> {
    nameGrant(ctx, token, jwt);
    Object.assign(jwt.payload, token.kind === 'AccessToken' ? await this.ofUser() : await this.ofClient());
  }

  /** The organization also without its scope, so that services and introspection know what the token is for. */
  private async ofUser(): Promise<Claims> {
    const id = organizationInUse();
    const claims = await this.compose('access_token', grantedScope(), id);
    return { ...claims, ...(id !== undefined && { organization_id: id }), ...(await this.loginMethod(id)) };
  }

  /** For introspection, which judges by it, and only where an organization may limit the login methods. */
  private async loginMethod(organizationId: string | undefined): Promise<Claims> {
    const isLimited = organizationId !== undefined || (await this.clientNow())?.organizationId != null;
    // Also if it is not known, so that a mapped claim of this name, stored by a former version, cannot replace it.
    return isLimited ? { [LOGIN_METHOD_CLAIM]: loginMethodInUse() } : {};
  }

  private async ofClient(): Promise<Claims> {
    const client = await this.clientNow();
    return client ? this.organizations.ofClient(client) : {};
  }

  private async clientNow(): Promise<OAuthClient | undefined> {
    const { Client } = entitiesNow();
    return Client && (await this.clients.get(Client.clientId));
  }

  /** The library selects claims by scope, from a fixed list, so these are added to its selection. */
  private addToUserinfo({ prototype }: ClaimsClass): void {
    const { result } = prototype;
    const compose = (): Promise<Claims> =>
      this.compose('userinfo', userinfoScope(), entitiesNow().AccessToken?.organizationId);
    Object.assign(prototype, {
      async result(this: object): Promise<Record<string, unknown>> {
        const selected = await result.call(this);
        return Library.ctx?.oidc.route === 'userinfo' ? { ...(await compose()), ...selected } : selected;
      },
    });
  }

  private async compose(place: ClaimPlace, scope = '', organizationId?: string): Promise<Claims> {
    const { Account } = entitiesNow();
    const client = await this.clientNow();
    if (!client || !Account) return {};
    const { accountId: userId } = Account;
    const scopes = scope.split(' ');
    const own = await this.organizations.ofMember({ userId, organizationId }, scopes);
    return this.mapped.compose({ client, userId, scopes, own }, place);
  }
}

/** The scopes of the access token that are still granted. */
function userinfoScope(): string | undefined {
  const { AccessToken: token, Grant: grant } = entitiesNow();
  return grant?.getOIDCScopeFiltered(new Set((token?.scope ?? '').split(' ')));
}
