import { Injectable } from '@nestjs/common';
import type Provider from 'oidc-provider';
import type { AccessToken, ClientCredentials, JWTStructured } from 'oidc-provider';
import { ClaimPlace } from '../clients/client-claims';
import { ClientCache } from '../clients/client.cache';
import { Claims } from '../permission-claims/claim-size';
import { MappedClaimsService } from '../permission-claims/mapped-claims.service';
import { nameGrant } from './access-token-grant';
import { grantedScope } from './id-token-claims';
import { Provider as Library } from './library';
import { before } from './patch-errors';

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
  readonly AccessToken?: { readonly scope?: string };
  readonly Grant?: { getOIDCScopeFiltered(scopes: ReadonlySet<string>): string };
}

const entitiesNow = (): Entities => (Library.ctx?.oidc.entities ?? {}) as unknown as Entities;

/** Adds the mapped claims of clients to what the library issues. */
@Injectable()
export class TokenClaimsService {
  constructor(
    private readonly clients: ClientCache,
    private readonly mapped: MappedClaimsService,
  ) {}

  install(provider: Provider): void {
    before<IdToken>(provider.IdToken.prototype, 'issue', async (token) => {
      // Undefined for a logout token, which is not about a grant.
      const scope = grantedScope();
      if (scope === undefined) return;
      for (const [name, value] of Object.entries(await this.compose('id_token', scope))) token.set(name, value);
    });
    this.addToUserinfo((provider as unknown as { Claims: ClaimsClass }).Claims);
  }

  /** Completes the payload of a JWT access token. */
  async completeJwt(ctx: unknown, token: AccessToken | ClientCredentials, jwt: JWTStructured): Promise<void> {
    nameGrant(ctx, token, jwt);
    if (token.kind === 'AccessToken') Object.assign(jwt.payload, await this.compose('access_token', grantedScope()));
  }

  /** The library selects claims by scope, from a fixed list, so these are added to its selection. */
  private addToUserinfo({ prototype }: ClaimsClass): void {
    const { result } = prototype;
    const compose = (): Promise<Claims> => this.compose('userinfo', userinfoScope());
    Object.assign(prototype, {
      async result(this: object): Promise<Record<string, unknown>> {
        const selected = await result.call(this);
        return Library.ctx?.oidc.route === 'userinfo' ? { ...(await compose()), ...selected } : selected;
      },
    });
  }

  private async compose(place: ClaimPlace, scope = ''): Promise<Claims> {
    const { Account, Client } = entitiesNow();
    const client = Client && (await this.clients.get(Client.clientId));
    return client && Account ? this.mapped.compose(client, Account.accountId, place, scope.split(' ')) : {};
  }
}

/** The scopes of the access token that are still granted. */
function userinfoScope(): string | undefined {
  const { AccessToken: token, Grant: grant } = entitiesNow();
  return grant?.getOIDCScopeFiltered(new Set((token?.scope ?? '').split(' ')));
}
