import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../platform/settings';
import { typedText } from '../platform/util';
import {
  checkNewUsername,
  classifyIdentifier,
  formerUsernameKey,
  IdentifierKind,
  isUsername,
  normalizeEmail,
  normalizePhone,
  usernameKey,
} from './rules';
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

  /**
   * By username, verified e-mail or verified phone, or else by the name from before an import. For logins only: a former
   * name may be an address that the user never verified.
   */
  async find(text: string): Promise<NamedUser> {
    const { user, key } = await this.findWithPassword(text);
    return { user, key };
  }

  /** Same as `find`, for callers that verify a password. */
  async findWithPassword(typed: string): Promise<NamedUserWithPassword> {
    const text = typedText(typed);
    const candidates = await this.read(text);
    // All at once: the number of queries depends on the form of the identifier only.
    const [current, former] = await Promise.all([this.lookAll(candidates), this.findFormer(text)]);
    const user = current ?? former;
    if (user) return { user: userView(user), key: user.id, password: storedPassword(user) };
    const { kind, looked } = candidates.find((each) => each.kind === 'phone') ?? candidates[0] ?? formerCandidate(text);
    return { user: undefined, key: `${kind} ${looked}`, password: undefined };
  }

  /** By username, verified e-mail or verified phone, for callers to whom the user proves nothing. */
  async findCurrent(typed: string): Promise<UserView | undefined> {
    const user = await this.lookAll(await this.read(typedText(typed)));
    return user && userView(user);
  }

  /** What the identifier can be, normalized, in the order of preference. Empty when no user can have it. */
  private async read(text: string): Promise<Candidate[]> {
    const kind = classifyIdentifier(text);
    if (kind === 'email') return candidate(kind, normalizeEmail(text)?.key);
    const phone = normalizePhone(text, await this.settings.get(defaultRegion));
    // The page asks for a username, an e-mail or a phone: a national number can be a username, too.
    const name = kind === 'username' && isUsername(text) ? usernameKey(text) : undefined;
    const [named, called] = [candidate('username', name), candidate('phone', phone)];
    // A user may take a short number as username, which must not hide the account of that number's owner.
    return name !== undefined && checkNewUsername(name) === undefined ? [...called, ...named] : [...named, ...called];
  }

  private async lookAll(candidates: readonly Candidate[]): Promise<User | undefined> {
    const found = await Promise.all(candidates.map((each) => this.look(each)));
    return found.find((user) => user !== null) ?? undefined;
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

  private async findFormer(text: string): Promise<User | undefined> {
    const key = formerUsernameKey(text);
    return key === undefined ? undefined : ((await this.users.findByFormerUsername(key)) ?? undefined);
  }
}

interface Candidate {
  readonly kind: IdentifierKind;
  readonly looked: string;
}

const candidate = (kind: IdentifierKind, looked: string | undefined): Candidate[] =>
  looked === undefined ? [] : [{ kind, looked }];

/** What only a name from before an import can be: all spellings that find one have one key, as if it existed. */
const formerCandidate = (text: string): Candidate => ({
  kind: classifyIdentifier(text),
  looked: formerUsernameKey(text) ?? text,
});

function storedPassword({ passwordHash, passwordVersion }: User): StoredPassword | undefined {
  return passwordHash === null ? undefined : { hash: passwordHash, version: passwordVersion };
}
