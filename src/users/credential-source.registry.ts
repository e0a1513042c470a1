import { Injectable } from '@nestjs/common';
import { usersErrors } from './users.errors';

/** A kind of credential that opens an account by itself: a password, a proven contact, a third-party identity, a passkey. */
export abstract class CredentialSource {
  /** Those of the users who can log in by it as things are set up now. In the caller's transaction. */
  abstract ableAmong(userIds: readonly string[]): Promise<readonly string[]>;
}

/** Every kind of credential that modules have added: who has none of any kind cannot log in. */
@Injectable()
export class CredentialSourceRegistry {
  private readonly sources: CredentialSource[] = [];

  /** To be called while modules are built. */
  add(source: CredentialSource): void {
    this.sources.push(source);
  }

  /** Those of the users who can log in. In the caller's transaction, so that what it has changed counts. */
  async ableAmong(userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const able = new Set<string>();
    if (userIds.length === 0) return able;
    for (const source of this.sources) for (const id of await source.ableAmong(userIds)) able.add(id);
    return able;
  }

  /** After a credential was taken away, in the transaction that took it. Errors: `last_credential`. */
  async refuseIfNone(userId: string): Promise<void> {
    if (!(await this.ableAmong([userId])).has(userId)) throw usersErrors.lastCredential();
  }
}
