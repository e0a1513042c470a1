import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { classifyIdentifier, IdentifierKind, isUsername, normalizeEmail, normalizePhone, usernameKey } from './rules';
import { User } from './user.entity';
import { StoredPassword, UserRepository } from './user.repository';
import { UserView, userView } from './user.cache';
import { defaultRegion } from './users.settings';

/** The result of a lookup. `key` is the same for every spelling of the identifier, whether or not the user exists. */
export interface NamedUser {
  readonly user: UserView | undefined;
  readonly key: string;
}

/** Also holds the password read with the user, so that known and unknown users cost the same number of queries. */
export interface NamedUserWithPassword extends NamedUser {
  readonly password: StoredPassword | undefined;
}

/** Finds the user for a typed identifier. Every login method uses it. */
@Injectable()
export class UserLookupService {
  constructor(
    private readonly users: UserRepository,
    private readonly settings: SettingsReader,
  ) {}

  /** By username, verified e-mail or verified phone. */
  async find(text: string): Promise<NamedUser> {
    const { user, key } = await this.findWithPassword(text);
    return { user, key };
  }

  /** Same as `find`, for callers that verify a password. */
  async findWithPassword(text: string): Promise<NamedUserWithPassword> {
    const { kind, looked } = await this.read(text);
    const user = looked === undefined ? null : await this.look(kind, looked);
    if (user) return { user: userView(user), key: user.id, password: storedPassword(user) };
    // An invalid identifier keeps its exact spelling as the key.
    return { user: undefined, key: `${kind} ${looked ?? text}`, password: undefined };
  }

  /** The normalized identifier, the same for every spelling, or undefined when no user can have it. */
  private async read(text: string): Promise<{ kind: IdentifierKind; looked: string | undefined }> {
    const kind = classifyIdentifier(text);
    switch (kind) {
      case 'username':
        return { kind, looked: isUsername(text) ? usernameKey(text) : undefined };
      case 'email':
        return { kind, looked: normalizeEmail(text)?.key };
      case 'phone':
        return { kind, looked: normalizePhone(text, await this.settings.get(defaultRegion)) };
    }
  }

  private look(kind: IdentifierKind, looked: string): Promise<User | null> {
    switch (kind) {
      case 'username':
        return this.users.findByUsername(looked);
      case 'email':
        return this.users.findByEmail(looked, { verified: true });
      case 'phone':
        return this.users.findByPhone(looked, { verified: true });
    }
  }
}

function storedPassword({ passwordHash, passwordVersion }: User): StoredPassword | undefined {
  return passwordHash === null ? undefined : { hash: passwordHash, version: passwordVersion };
}
