import { Injectable } from '@nestjs/common';
import { usersErrors } from './users.errors';

/**
 * A kind of credential that alone suffices to log in: a password, a verified contact, a third-party identity, a
 * passkey.
 */
export abstract class CredentialSource {
  /** Returns the users who can log in with it under the current configuration. Runs in the caller's transaction. */
  abstract ableAmong(userIds: readonly string[]): Promise<readonly string[]>;
}

/** Every kind of credential that modules have registered. A user without any cannot log in. */
@Injectable()
export class CredentialSourceRegistry {
  private readonly sources: CredentialSource[] = [];

  /** Call while modules initialize. */
  add(source: CredentialSource): void {
    this.sources.push(source);
  }

  /** Returns the users who can log in. Runs in the caller's transaction, so that its changes count. */
  async ableAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const able = new Set<string>();
    if (userIds.length === 0) return able;
    for (const source of this.sources) for (const id of await source.ableAmong(userIds)) able.add(id);
    return able;
  }

  /** Call after removing a credential, in the same transaction. Throws `last_credential`. */
  async assertHasCredential(userId: string): Promise<void> {
    if (!(await this.ableAmong([userId])).has(userId)) throw usersErrors.lastCredential();
  }
}
