import { Injectable, OnModuleInit } from '@nestjs/common';
import { AuditTarget } from '../../../audit';
import { Environment } from '../../../platform/config';
import { Caller } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { DomainEvents } from '../../../platform/jobs/events';
import {
  actorWithin,
  organizationPermissions,
  PermissionsService,
  PrivilegeEscalationGuardService,
  rbacErrors,
  targetOfPlace,
} from '../../../rbac';
import { organizationDeleting, OrganizationNamesService } from '../../../organizations';
import { UserCache } from '../../../users';
import { OAuthClient } from './client.entity';
import { ClientChange, ClientRepository } from './client.repository';
import { grantToTie } from './grant-to-tie';

type Tie = Pick<OAuthClient, 'organizationId' | 'organizationSetBy'>;
type Owned = Pick<OAuthClient, 'ownerId' | 'isSuspended'> & Tie;

/** Clients that are tied to one organization: who may tie and untie them, and whether they may act for it. */
@Injectable()
export class ClientOrganizationsService implements OnModuleInit {
  constructor(
    private readonly environment: Environment,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly permissions: PermissionsService,
    private readonly names: OrganizationNamesService,
    private readonly users: UserCache,
    private readonly clients: ClientRepository,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on(organizationDeleting, ({ organizationId }) => this.requireUntied(organizationId));
  }

  /**
   * Call it in the transaction of a change of the tie or of who may use the client, or one that enables it. The caller needs
   * `organization:update` in the organization that the client is tied to, and in the one that it gets. Errors: `escalation_denied`, also for an unknown organization unless the
   * caller holds the permission everywhere, `validation_failed`.
   */
  async authorize(caller: Caller, change: ClientChange, before?: Tie): Promise<void> {
    const { organizationId, organizationSetBy, enabled, access } = change;
    if ([organizationId, organizationSetBy, access].every((field) => field === undefined) && enabled !== true) return;
    const former = before?.organizationId ?? null;
    const next = organizationId === undefined ? former : organizationId;
    await this.requireAuthority(caller, former, targetOfPlace(former));
    if (next === former || next === null) return;
    // The attempt is not shown to the administrators there: the actor may have nothing to do with them.
    await this.requireAuthority(caller, next, { type: 'organization', id: next });
    if ((await this.names.slugOf(next)) !== undefined) return;
    const params = { id: next };
    throw platformErrors.validationFailed({
      fields: [{ field: 'organization_id', code: 'unknown_organization', params }],
    });
  }

  /**
   * Whether the client may act for itself: if it is tied, while the user who tied it may still do so, from state that is
   * at most a second old.
   */
  async mayAct({ organizationId, organizationSetBy: setter }: Tie): Promise<boolean> {
    if (organizationId === null) return true;
    if (setter === null || (await this.users.get(setter))?.status !== 'active') return false;
    return this.permissions.isGranted(setter, organizationPermissions.update, organizationId);
  }

  /** Whether the client is not suspended and may act for its organization. Like `mayAct`. */
  async isAnsweredFor(client: Owned): Promise<boolean> {
    return !client.isSuspended && (await this.mayAct(client));
  }

  /**
   * The change, which also takes the client from a disabled owner if another user answers for its tie from then on: otherwise,
   * it would stay suspended.
   */
  async withoutDisabledOwner({ ownerId, isSuspended }: Owned, change: ClientChange): Promise<ClientChange> {
    if (!change.organizationSetBy || !isSuspended || ownerId === null) return change;
    return (await this.users.reload(ownerId))?.status === 'active' ? change : { ...change, ownerId: null };
  }

  private async requireAuthority(caller: Caller, organizationId: string | null, target?: AuditTarget): Promise<void> {
    if (organizationId === null) return;
    const needed = [grantToTie(this.environment.serviceScope)];
    await this.escalationGuard.requireCover(actorWithin(caller, organizationId), needed, target);
  }

  /** Untied with the deletion, a client would be open to all users. Errors: `in_use`. */
  private async requireUntied(organizationId: string): Promise<void> {
    if (await this.clients.isTiedTo(organizationId)) throw rbacErrors.inUse();
  }
}
