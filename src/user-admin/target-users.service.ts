import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { Actor, PrivilegeEscalationGuardService, OwnedClientGrants } from '../rbac';
import { User, UserRepository } from '../users';

/** Whom an administrator acts on. Everything here belongs in the transaction of the act, before its first write. */
@Injectable()
export class TargetUsersService {
  constructor(
    private readonly authority: PrivilegeEscalationGuardService,
    private readonly users: UserRepository,
    private readonly clients: OwnedClientGrants,
  ) {}

  /**
   * Locks the user for an act that only contains: it ends access and gives none. Errors: `not_found`, `escalation_denied`
   * where the user holds everything and the actor does not.
   */
  async lockToContain(actor: Actor, id: string): Promise<User> {
    const user = await this.lock(id);
    await this.requireEqual(actor, id);
    return user;
  }

  /**
   * Locks the user for an act by which the actor could become the user. Errors: `not_found`, `escalation_denied` where
   * the actor lacks something that the user holds, or that a client of the user may ask for.
   */
  async lockToBecome(actor: Actor, id: string): Promise<User> {
    const user = await this.lock(id);
    await this.requireCover(actor, id);
    return user;
  }

  /** What `lockToContain` asks, of a user who is locked already. Errors: `escalation_denied`. */
  async requireEqual(actor: Actor, id: string): Promise<void> {
    await this.authority.requireEqualOfHolderOfAll(actor, id);
  }

  /** What `lockToBecome` asks, of a user who is locked already. Errors: `escalation_denied`. */
  async requireCover(actor: Actor, id: string): Promise<void> {
    // Nobody becomes themselves: their own clients add nothing.
    const further = id === actor.userId ? [] : await this.clients.ofOwner(id);
    await this.authority.requireCoverOfUser(actor, id, further);
  }

  /** Holds the user until the transaction ends. Errors: `not_found`. */
  async lock(id: string): Promise<User> {
    // First the authority, then users, then sessions: always in this order, so that nobody waits in a ring.
    await this.authority.stand();
    const user = await this.users.lock(id);
    if (!user) throw platformErrors.notFound();
    return user;
  }
}
