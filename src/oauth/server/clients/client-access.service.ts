import { Injectable } from '@nestjs/common';
import { AuditTarget } from '../../../audit';
import { OrganizationReachService } from '../../../platform/access';
import { Environment } from '../../../platform/config';
import { Caller, isSystemActor } from '../../../platform/context';
import { platformErrors, ProblemError } from '../../../platform/errors';
import { MaybePromise } from '../../../platform/util';
import {
  everythingIn,
  PermissionsService,
  PrivilegeEscalationGuardService,
  userPermissions,
  WILDCARD,
} from '../../../rbac';
import { clientPermissions } from './client.permissions';
import { ConsentRepository } from './consent.repository';
import { ClientDelegationService } from './client-delegation.service';
import { OAuthClient } from './client.entity';
import { ClientRepository } from './client.repository';

/** A client that is being changed. */
export interface LockedClient {
  readonly client: OAuthClient;
  /** Whether the caller may change it only as an administrator of its organization. */
  readonly byOrganization: boolean;
  /** Whether the caller changes it for the service: by every permission, and not as its owner. */
  readonly byService: boolean;
}

/** A client for a preview. */
export interface PreviewedClient {
  readonly client: OAuthClient;
  /** The caller may see no more than what the user has consented to. Undefined: all. */
  readonly consented: ReadonlySet<string> | undefined;
}

/** Decides which clients a user may read and change: their own, those of an organization, and others by permission. */
@Injectable()
export class ClientAccessService {
  constructor(
    private readonly environment: Environment,
    private readonly clients: ClientRepository,
    private readonly permissions: PermissionsService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
    private readonly reach: OrganizationReachService,
    private readonly delegation: ClientDelegationService,
    private readonly consents: ConsentRepository,
  ) {}

  /** Whether the caller may read the clients of all users, of the organization or with null of the service. */
  mayReadAll(caller: Caller, organizationId: string | null): MaybePromise<boolean> {
    return isSystemActor(caller) || this.reach.reaches(caller, clientPermissions.read, organizationId);
  }

  /** Errors: `not_found`, also if the caller must not know of the client. */
  async find(caller: Caller, id: string): Promise<OAuthClient> {
    const client = await this.clients.findById(id);
    if (!client || !(await this.mayRead(caller, client))) throw platformErrors.notFound();
    return client;
  }

  /**
   * Locks the client in the transaction of its change, after the authority, as when an owner is deleted, to prevent
   * deadlocks. Errors: `not_found`, `permission_denied`, `escalation_denied`.
   * @param permission what an administrator of its organization needs there
   */
  async lock(caller: Caller, id: string, permission: string = clientPermissions.update): Promise<LockedClient> {
    await this.escalationGuard.lock();
    const client = await this.clients.lock(id);
    if (!client) throw platformErrors.notFound();
    const isOwner = client.ownerId === caller.userId;
    if (isOwner || (await this.holdsEverything(caller))) return { client, byOrganization: false, byService: !isOwner };
    if (!(await this.mayRead(caller, client))) throw platformErrors.notFound();
    if (client.organizationId === null) throw this.everythingNeeded();
    if (!(await this.reach.reaches(caller, permission, client.organizationId))) throw this.denied(permission);
    await this.delegation.requireCover(caller, client);
    return { client, byOrganization: true, byService: false };
  }

  /**
   * For a preview, which shows data of other users: its owner needs `user:admin`, an administrator of its organization
   * `user:admin` there, and sees its members only, and of them what they consented to for a client of the organization; other
   * callers `*:*`. Errors: `not_found`, also for others than members, `permission_denied`.
   */
  async findForPreview(caller: Caller, id: string, userId: string): Promise<PreviewedClient> {
    const client = await this.find(caller, id);
    if (await this.holdsEverything(caller)) return { client, consented: undefined };
    const isOwner = client.ownerId === caller.userId;
    if (!isOwner && client.organizationId === null) throw this.everythingNeeded();
    const place = isOwner ? null : client.organizationId;
    if (!(await this.reach.reaches(caller, userPermissions.administer, place))) {
      throw this.denied(userPermissions.administer);
    }
    if (place === null) return { client, consented: undefined };
    // The claims, and why the user is admitted, would show what members are and hold elsewhere.
    if (this.delegation.discloses(client)) throw this.everythingNeeded();
    await this.delegation.requireMember(place, userId);
    return { client, consented: await this.consents.scopesWithin(userId, place) };
  }

  /** Runs in the transaction of the change. Errors: `escalation_denied`. */
  requireEverything(caller: Caller, target?: AuditTarget): Promise<void> {
    return this.escalationGuard.requireCover(caller, [everythingIn(this.environment.serviceScope)], target);
  }

  private async mayRead(caller: Caller, { ownerId, organizationId }: OAuthClient): Promise<boolean> {
    return ownerId === caller.userId || this.mayReadAll(caller, organizationId);
  }

  private denied(permission: string): ProblemError {
    return platformErrors.permissionDenied({ params: { ...this.permissions.describe(permission) } });
  }

  private everythingNeeded(): ProblemError {
    return platformErrors.permissionDenied({
      params: { permission: `${WILDCARD}:${WILDCARD}`, scope: this.environment.serviceScope },
    });
  }

  private holdsEverything(caller: Caller): MaybePromise<boolean> {
    return isSystemActor(caller) || this.permissions.allows(caller.userId, everythingIn(this.environment.serviceScope));
  }
}
