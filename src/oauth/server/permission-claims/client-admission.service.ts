import { Injectable } from '@nestjs/common';
import { andThen, MaybePromise } from '../../../platform/maybe-promise';
import { HeldRole, UserRoleCache } from '../../../rbac';
import { ClientCache } from '../clients/client.cache';
import { OAuthClient } from '../clients/client.entity';

/** Whether a user may use a client, with the reason. */
export type Admission =
  | { readonly allowed: true; readonly because: 'everybody' | 'user' }
  | { readonly allowed: true; readonly because: 'role'; readonly role: HeldRole }
  | { readonly allowed: false; readonly because: 'not_admitted' };

const NOT_ADMITTED: Admission = { allowed: false, because: 'not_admitted' };

/**
 * Decides which users may use a client (`client.access`), from caches that are at most a second old. Every step of the
 * protocol asks again, so a right that is lost does not live on in a code, token, session or consent.
 */
@Injectable()
export class ClientAdmissionService {
  constructor(
    private readonly clients: ClientCache,
    private readonly roles: UserRoleCache,
  ) {}

  decide({ access }: Pick<OAuthClient, 'access'>, userId: string): MaybePromise<Admission> {
    if (access.mode === 'everybody') return { allowed: true, because: 'everybody' };
    if (access.userIds.includes(userId)) return { allowed: true, because: 'user' };
    if (access.roleIds.length === 0) return NOT_ADMITTED;
    return andThen(this.roles.get(userId), (held): Admission => {
      const role = held.find(({ id }) => access.roleIds.includes(id));
      return role ? { allowed: true, because: 'role', role } : NOT_ADMITTED;
    });
  }

  /** False for an unknown or disabled client. */
  async admits(clientId: string, userId: string): Promise<boolean> {
    const client = await this.clients.get(clientId);
    return client !== undefined && (await this.decide(client, userId)).allowed;
  }
}
