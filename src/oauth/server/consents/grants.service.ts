import { Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import { Transactions } from '../../../platform/database';
import { ClientCache } from '../clients/client.cache';
import { ClientAdmissionService } from '../claims/client-admission.service';
import { OAuthClient } from '../clients/client.entity';
import { errors } from '../core/library';
import { GRANT_SECONDS, REFRESH_ABSOLUTE_SECONDS } from '../core/lifetimes';
import { userOf } from '../core/request';
import { ConsentsService } from './consents.service';

type Grant = InstanceType<Provider['Grant']>;

/** Requested scopes: those of OpenID Connect, and those of each resource. */
export interface RequestedScopes {
  readonly identity: readonly string[];
  readonly resources: Readonly<Record<string, readonly string[]>>;
}

/** Grants: what a client may do for a user in one session. Each session's grant is derived from the stored consent. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly clients: ClientCache,
    private readonly consents: ConsentsService,
    private readonly admission: ClientAdmissionService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The grant of this session. Undefined if none of the requested scopes is granted, or if the user may not use the
   * client.
   */
  async load(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
    const { client, account } = ctx.oidc;
    const registered = client && (await this.clients.get(client.clientId));
    if (!registered || !account) return undefined;
    requireRegistered(ctx);
    if (!(await this.admission.decide(registered, userOf(ctx.req, account.accountId))).allowed) return undefined;
    const known = await knownGrant(ctx, registered.clientId);
    const allowed = await this.allowed(registered, account.accountId, requestedScopes(ctx));
    if (known ? !extend(known, allowed) : isNothing(allowed)) return known;
    return this.kept(ctx.oidc.provider.Grant, registered, account.accountId, allowed, known?.jti);
  }

  /**
   * Undefined if the consent was withdrawn in the meantime: its grants have ended and must not be restored.
   * @param known the grant to extend. Undefined: a new one.
   */
  private kept(
    grants: Provider['Grant'],
    client: OAuthClient,
    accountId: string,
    allowed: RequestedScopes,
    known: string | undefined,
  ): Promise<Grant | undefined> {
    return this.transactions.run(async () => {
      // Locks the consent first, in the same order as its withdrawal, which then waits.
      const consented = await this.consents.lockScopes(accountId, client);
      const isConsented = client.firstParty || namesOf(allowed).every((name) => consented.includes(name));
      if (!isConsented) return undefined;
      // Reads the grant again, because the user may have rejected scopes since it was loaded.
      const grant =
        known === undefined ? new grants({ accountId, clientId: client.clientId }) : await grants.find(known);
      if (!grant) return undefined;
      extend(grant, allowed);
      await grant.save();
      return grant;
    });
  }

  private async allowed(client: OAuthClient, userId: string, asked: RequestedScopes): Promise<RequestedScopes> {
    if (client.firstParty) return asked;
    const consented = new Set(await this.consents.scopesOf(userId, client));
    await this.consents.touch(userId, client);
    return narrowed(asked, (scope) => consented.has(scope));
  }
}

/** Validates the request again when it continues, because the client may have changed. */
function requireRegistered({ oidc }: KoaContextWithOIDC): void {
  const { client, params } = oidc;
  if (!client?.redirectUriAllowed(String(params?.['redirect_uri']))) throw new errors.InvalidRedirectUri();
  const registered = new Set(client.scope?.split(' '));
  const lost = [...oidc.requestParamOIDCScopes].find((scope) => !registered.has(scope));
  if (lost !== undefined) throw new errors.InvalidScope('requested scope is not allowed', lost);
}

/** The grant of the consent just given, or of an earlier one in this session. */
async function knownGrant({ oidc }: KoaContextWithOIDC, clientId: string): Promise<Grant | undefined> {
  const id = oidc.result?.consent?.grantId ?? oidc.session?.grantIdFor(clientId);
  return id === undefined ? undefined : oidc.provider.Grant.find(id);
}

/** Returns whether the grant has changed. */
function extend(grant: Grant, allowed: RequestedScopes): boolean {
  const isWider = addScopes(grant, allowed);
  return renew(grant) || isWider;
}

/**
 * Extends the grant, so that new tokens get their full lifetime regardless of the session's age. Returns whether it
 * changed.
 */
function renew(grant: Grant): boolean {
  if (grant.remainingTTL >= REFRESH_ABSOLUTE_SECONDS) return false;
  grant.exp = Math.floor(Date.now() / 1_000) + GRANT_SECONDS;
  return true;
}

export function requestedScopes({ oidc }: KoaContextWithOIDC): RequestedScopes {
  const wanted = [...oidc.requestParamScopes];
  return {
    identity: [...oidc.requestParamOIDCScopes],
    resources: Object.fromEntries(
      Object.entries(oidc.resourceServers ?? {}).map(([resource, { scope }]) => {
        const offered = new Set(scope.split(' '));
        return [resource, wanted.filter((name) => offered.has(name))];
      }),
    ),
  };
}

export function narrowed({ identity, resources }: RequestedScopes, keep: (scope: string) => boolean): RequestedScopes {
  return {
    identity: identity.filter(keep),
    resources: Object.fromEntries(Object.entries(resources).map(([name, scopes]) => [name, scopes.filter(keep)])),
  };
}

export const namesOf = ({ identity, resources }: RequestedScopes): string[] => [
  ...new Set([...identity, ...Object.values(resources).flat()]),
];

const isNothing = (scopes: RequestedScopes): boolean => namesOf(scopes).length === 0;

/** Returns whether a scope was new to the grant. */
export function addScopes(grant: Grant, { identity, resources }: RequestedScopes): boolean {
  const before = JSON.stringify([grant.openid, grant.resources]);
  if (identity.length > 0) grant.addOIDCScope([...identity]);
  for (const [resource, scopes] of Object.entries(resources)) {
    if (scopes.length > 0) grant.addResourceScope(resource, [...scopes]);
  }
  return JSON.stringify([grant.openid, grant.resources]) !== before;
}
