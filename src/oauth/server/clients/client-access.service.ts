import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { Caller, isSystemActor } from '../../../platform/context';
import { platformErrors, ProblemError } from '../../../platform/errors';
import { MaybePromise } from '../../../platform/maybe-promise';
import {
  everythingIn,
  PermissionsService,
  PrivilegeEscalationGuardService,
  userPermissions,
  WILDCARD,
} from '../../../rbac';
import { clientPermissions } from '../authorization-server.permissions';
import { OAuthClient } from './client.entity';
import { ClientRepository } from './client.repository';

/** Decides which clients a user may read and change: their own, and others by permission. */
@Injectable()
export class ClientAccessService {
  constructor(
    private readonly environment: Environment,
    private readonly clients: ClientRepository,
    private readonly permissions: PermissionsService,
    private readonly escalationGuard: PrivilegeEscalationGuardService,
  ) {}

  /** Whether the caller may read the clients of all users. */
  mayReadAll(caller: Caller): MaybePromise<boolean> {
    return isSystemActor(caller) || this.permissions.isGranted(caller.userId, clientPermissions.read);
  }

  /** Errors: `not_found`, also if the caller must not know of the client. */
  async find(caller: Caller, id: string): Promise<OAuthClient> {
    const client = await this.clients.findById(id);
    if (!client || (client.ownerId !== caller.userId && !(await this.mayReadAll(caller)))) {
      throw platformErrors.notFound();
    }
    return client;
  }

  /** Locks the client in the transaction of its change. Errors: `not_found`, `permission_denied`. */
  async lock(caller: Caller, id: string): Promise<OAuthClient> {
    const client = await this.clients.lock(id);
    if (!client) throw platformErrors.notFound();
    if (client.ownerId === caller.userId || (await this.holdsEverything(caller))) return client;
    if (!(await this.mayReadAll(caller))) throw platformErrors.notFound();
    throw this.everythingNeeded();
  }

  /**
   * For a preview, which shows data of other users: its owner needs `user:admin`, other callers `*:*`.
   * Errors: `not_found`, `permission_denied`.
   */
  async findForPreview(caller: Caller, id: string): Promise<OAuthClient> {
    const client = await this.find(caller, id);
    if (await this.holdsEverything(caller)) return client;
    if (client.ownerId !== caller.userId) throw this.everythingNeeded();
    if (await this.permissions.isGranted(caller.userId, userPermissions.administer)) return client;
    throw platformErrors.permissionDenied({ params: { ...this.permissions.describe(userPermissions.administer) } });
  }

  /** Runs in the transaction of the change. Errors: `escalation_denied`. */
  requireEverything(caller: Caller): Promise<void> {
    return this.escalationGuard.requireCover(caller, [everythingIn(this.environment.serviceScope)]);
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
