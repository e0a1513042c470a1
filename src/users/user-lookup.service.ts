import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { classifyIdentifier, IdentifierKind, isUsername, normalizeEmail, normalizePhone, usernameKey } from './rules';
import { User } from './user.entity';
import { StoredPassword, UserRepository } from './user.repository';
import { UserView, userView } from './user.cache';
import { defaultRegion } from './users.settings';

/** Whom a typed name means; `key` is the same for every way to write it, known or not. */
export interface NamedUser {
  readonly user: UserView | undefined;
  readonly key: string;
}

/** With the password as it was when the user was found, if there is one: no further query that unknown users lack. */
export interface NamedUserWithPassword extends NamedUser {
  readonly password: StoredPassword | undefined;
}

/** Finds the user whom somebody means by what they type, for every way to log in alike. */
@Injectable()
export class UserLookupService {
  constructor(
    private readonly users: UserRepository,
    private readonly settings: SettingsReader,
  ) {}

  /** By username, proven e-mail or proven phone. */
  async find(text: string): Promise<NamedUser> {
    const { user, key } = await this.findWithPassword(text);
    return { user, key };
  }

  /** As `find`, for whoever judges a password. */
  async findWithPassword(text: string): Promise<NamedUserWithPassword> {
    const { kind, looked } = await this.read(text);
    const user = looked === undefined ? null : await this.look(kind, looked);
    if (user) return { user: userView(user), key: user.id, password: storedPassword(user) };
    // What is no name in any spelling stands for itself alone, as it does beside a known account.
    return { user: undefined, key: `${kind} ${looked ?? text}`, password: undefined };
  }

  /** The name as it is looked up, the same for every spelling; undefined where nobody can have it. */
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
