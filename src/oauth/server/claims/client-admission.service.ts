import { Injectable } from '@nestjs/common';
import { andThen, MaybePromise } from '../../../platform/util';
import { HeldGroup, HeldRole, UserGroupCache, UserRoleCache } from '../../../rbac';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';
import { AccessRejectionsService, ProtocolStep } from './access-rejections.service';
import { LoggedInUser } from '../core/request';
import { OrganizationAdmissionService, OrganizationRejection } from './organization-admission.service';

/** Whether a user may use a client, with the reason. */
export type Admission =
  | { readonly allowed: true; readonly because: 'everybody' | 'user' }
  | { readonly allowed: true; readonly because: 'role'; readonly role: HeldRole }
  | { readonly allowed: true; readonly because: 'group'; readonly group: HeldGroup }
  | { readonly allowed: false; readonly because: 'not_admitted' | OrganizationRejection };

/** A code or token in use. */
export interface UsedToken {
  readonly clientId: string;
  /** The organization that it is for. */
  readonly organizationId?: string | undefined;
  /** How the user had logged in. */
  readonly loginMethod?: string | undefined;
}

const NOT_ADMITTED: Admission = { allowed: false, because: 'not_admitted' };

/**
 * Decides which users may use a client (its `access` and organization), from caches that are at most a second old. Every
 * step of the protocol asks again, so a right that is lost does not live on in a code, token, session or consent.
 */
@Injectable()
export class ClientAdmissionService {
  constructor(
    private readonly clients: ClientCache,
    private readonly roles: UserRoleCache,
    private readonly rejections: AccessRejectionsService,
    private readonly groups: UserGroupCache,
    private readonly organizations: OrganizationAdmissionService,
  ) {}

  decide(client: Pick<OAuthClient, 'access' | 'organizationId'>, user: LoggedInUser): MaybePromise<Admission> {
    const { organizationId } = client;
    if (organizationId === null) return this.decideByAccess(client, user.userId);
    return andThen(this.organizations.rejection(user, organizationId), (because) =>
      because === undefined ? this.decideByAccess(client, user.userId) : { allowed: false, because },
    );
  }

  /**
   * Decides for a step of the protocol, also about the organization of the token, and audits a rejection. False for an
   * unknown or disabled client.
   */
  async admits(
    { clientId, organizationId, loginMethod }: UsedToken,
    userId: string,
    step: ProtocolStep,
  ): Promise<boolean> {
    const client = await this.clients.get(clientId);
    if (!client) return false;
    const user = { userId, login: { method: loginMethod } };
    const { allowed } = await this.decide(client, user);
    const rejection =
      organizationId === undefined ? undefined : await this.organizations.rejection(user, organizationId);
    if (allowed && rejection === undefined) return true;
    await this.rejections.record(client, userId, step);
    return false;
  }

  private decideByAccess({ access }: Pick<OAuthClient, 'access'>, userId: string): MaybePromise<Admission> {
    if (access.mode === 'everybody') return { allowed: true, because: 'everybody' };
    if (access.userIds.includes(userId)) return { allowed: true, because: 'user' };
    const { roleIds, groupIds = [] } = access;
    return andThen(this.heldOf(roleIds, this.roles, userId), (role): MaybePromise<Admission> => {
      if (role) return { allowed: true, because: 'role', role };
      return andThen(this.heldOf(groupIds, this.groups, userId), (group): Admission =>
        group ? { allowed: true, because: 'group', group } : NOT_ADMITTED,
      );
    });
  }

  /** The first of the user's roles or groups that is among the ids. */
  private heldOf<T extends { readonly id: string }>(
    ids: readonly string[],
    cache: { get(userId: string): MaybePromise<readonly T[]> },
    userId: string,
  ): MaybePromise<T | undefined> {
    if (ids.length === 0) return undefined;
    return andThen(cache.get(userId), (held) => held.find(({ id }) => ids.includes(id)));
  }
}
