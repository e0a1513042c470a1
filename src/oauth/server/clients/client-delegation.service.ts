import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { Caller, currentRequest } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import {
  actorWithin,
  everythingIn,
  Grant,
  OrganizationMembershipsService,
  PermissionsService,
  PrivilegeEscalationGuardService,
  targetOfPlace,
  WILDCARD,
} from '../../../rbac';
import { clientPermissions } from './client.permissions';
import { newAccessIds, problemsOfAccess } from './access-ids';
import { ClaimSource, definedAttributeOf, reachServices } from './client-claims';
import { targetOf } from './client-fields';
import { ClientScopesService } from './client-scopes.service';
import { OAuthClient } from './client.entity';
import { ClientChange } from './client.repository';
import { grantToRegister, grantToTie } from './grant-to-tie';

/** They disclose what a user holds everywhere. */
const HELD: ReadonlySet<ClaimSource> = new Set(['roles', 'groups', 'permissions']);
const holdsSource = (claims: OAuthClient['claims']): boolean => claims.some(({ from }) => HELD.has(from));
const readsAttributes = (claims: OAuthClient['claims']): boolean =>
  claims.some((claim) => definedAttributeOf(claim) !== undefined);

/**
 * Limits administrators of an organization to its clients, and to what they may hand out. Permissions among the scopes hold
 * everywhere, so they need cover by what is held everywhere.
 */
@Injectable()
export class ClientDelegationService {
  constructor(
    private readonly environment: Environment,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly permissions: PermissionsService,
    private readonly memberships: OrganizationMembershipsService,
    private readonly scopes: ClientScopesService,
  ) {}

  /**
   * Whether the request registers a client by authority in its organization only. Such a client has no owner: a user who
   * loses that authority does not keep it. Errors: `permission_denied` for a client of no or another organization.
   */
  async isNeeded(caller: Caller, organizationId: string | null | undefined): Promise<boolean> {
    const named = currentRequest()?.organizationId;
    if (named === undefined || (await this.permissions.isGranted(caller.userId, clientPermissions.create))) {
      return false;
    }
    if (organizationId === named) return true;
    throw platformErrors.permissionDenied({ params: { ...this.permissions.describe(clientPermissions.create) } });
  }

  /**
   * A user who changes a client could use it: the caller must hold what it may request, and be able to tie it. Errors:
   * `escalation_denied`.
   */
  async requireCover(caller: Caller, client: OAuthClient): Promise<void> {
    const target = targetOf(client);
    await this.escalationGuard.requireCover(caller, await this.needed(client), target);
    if (client.organizationId === null) return;
    const actor = actorWithin(caller, client.organizationId);
    await this.escalationGuard.requireCover(actor, [grantToTie(this.environment.serviceScope)], target);
  }

  /**
   * Call it in the transaction of the change. The client stays in the organization, admits its members only, and its claims
   * disclose nothing that they hold elsewhere. Errors: `validation_failed`, `escalation_denied`.
   */
  async limit(caller: Caller, change: ClientChange, before?: OAuthClient): Promise<void> {
    const organizationId = change.organizationId ?? before?.organizationId ?? null;
    const target = before ? targetOf(before) : targetOfPlace(organizationId);
    await this.escalationGuard.requireCover(caller, this.beyond(change, before), target);
    if (change.access) await this.limitAccess(change.access, organizationId, before?.access);
  }

  /** Whether the client, or who may use it, shows what its users hold everywhere, or attributes of theirs. */
  discloses({ claims, access }: OAuthClient): boolean {
    return (
      holdsSource(claims) || readsAttributes(claims) || access.roleIds.length > 0 || (access.groupIds ?? []).length > 0
    );
  }

  /** Errors: `not_found`, as for a user who does not exist. */
  async requireMember(organizationId: string, userId: string): Promise<void> {
    if ((await this.memberships.othersAmong(organizationId, [userId])).size > 0) throw platformErrors.notFound();
  }

  /** Roles and groups admit by what users hold everywhere, so only members can be added, by their ids. */
  private async limitAccess(
    access: OAuthClient['access'],
    organizationId: string | null,
    before?: OAuthClient['access'],
  ): Promise<void> {
    const added = newAccessIds(access, before);
    const others =
      organizationId === null ? added.userIds : await this.memberships.othersAmong(organizationId, added.userIds);
    const fields = problemsOfAccess(access, {
      roles: new Set(added.roleIds),
      groups: new Set(added.groupIds),
      users: new Set(others),
    });
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
  }

  /** What the change needs that no right in the organization covers. */
  private beyond({ organizationId, claims = [] }: ClientChange, before?: OAuthClient): Grant[] {
    const isMoved = before && organizationId !== undefined && organizationId !== before.organizationId;
    return [
      ...(isMoved ? [grantToRegister(this.environment.serviceScope)] : []),
      ...(holdsSource(claims) ? [everythingIn(WILDCARD)] : []),
    ];
  }

  private async needed(client: OAuthClient): Promise<Grant[]> {
    const { scopes, introspectionResources, claims, firstParty } = client;
    return [
      ...(await this.scopes.grantsOf(scopes)),
      ...this.scopes.grantsOfResources(introspectionResources),
      ...(firstParty ? [everythingIn(this.environment.serviceScope)] : []),
      ...(reachServices(claims) || this.discloses(client) ? [everythingIn(WILDCARD)] : []),
    ];
  }
}
