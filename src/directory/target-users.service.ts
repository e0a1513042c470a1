import { Injectable } from '@nestjs/common';
import { platformErrors } from '../platform/errors';
import { Authority } from '../rbac';
import { User, UserRepository } from '../users';

/** Whom an administrator acts on. Everything here belongs in the transaction of the act, before its first write. */
@Injectable()
export class TargetUsers {
  constructor(
    private readonly authority: Authority,
    private readonly users: UserRepository,
  ) {}

  /** Holds the user until the transaction ends. Errors: `not_found`. */
  async lock(id: string): Promise<User> {
    // First the authority, then users, then sessions: always in this order, so that nobody waits in a ring.
    await this.authority.stand();
    const user = await this.users.lock(id);
    if (!user) throw platformErrors.notFound();
    return user;
  }
}
