import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { typedText } from '../platform/util';
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
  async findWithPassword(typed: string): Promise<NamedUserWithPassword> {
    const text = typedText(typed);
    const candidates = await this.read(text);
    // All at once: the number of queries depends on the form of the identifier only.
    const found = await Promise.all(candidates.map((candidate) => this.look(candidate)));
    const user = found.find((each) => each !== null);
    if (user) return { user: userView(user), key: user.id, password: storedPassword(user) };
    // An invalid identifier keeps its spelling as the key.
    const { kind, looked } = candidates.at(-1) ?? { kind: classifyIdentifier(text), looked: text };
    return { user: undefined, key: `${kind} ${looked}`, password: undefined };
  }

  /** What the identifier can be, normalized, in the order of preference. Empty when no user can have it. */
  private async read(text: string): Promise<Candidate[]> {
    const kind = classifyIdentifier(text);
    if (kind === 'email') return candidate(kind, normalizeEmail(text)?.key);
    const phone = normalizePhone(text, await this.settings.get(defaultRegion));
    // The page asks for a username, an e-mail or a phone: a national number can be a username, too.
    const name = kind === 'username' && isUsername(text) ? usernameKey(text) : undefined;
    return [...candidate('username', name), ...candidate('phone', phone)];
  }

  private look({ kind, looked }: Candidate): Promise<User | null> {
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

interface Candidate {
  readonly kind: IdentifierKind;
  readonly looked: string;
}

const candidate = (kind: IdentifierKind, looked: string | undefined): Candidate[] =>
  looked === undefined ? [] : [{ kind, looked }];

function storedPassword({ passwordHash, passwordVersion }: User): StoredPassword | undefined {
  return passwordHash === null ? undefined : { hash: passwordHash, version: passwordVersion };
}
