import { usernameKey } from '../users';
import { AccountNames, isFoundBy, LoginName } from './login-name';
import { ForeignIdentity, nameKey } from './foreign-user';
import { Candidate, withoutContact } from './candidate';

/** The owner of a username, former name or contact that an imported user has, too. */
export interface Holder {
  readonly id: string;
  readonly username: string;
  readonly formerUsernameKey: string | null;
  readonly emailKey: string | null;
  readonly emailVerified: boolean;
  readonly phone: string | null;
}

/** A user that an earlier import created or matched. */
export interface Known extends AccountNames {
  readonly sourceId: string;
  readonly userId: string;
  /**
   * Whether the import created the account without a password and it never logged in. Another file may still add the
   * password.
   */
  readonly awaitsPassword: boolean;
}

/** The configured providers and the existing links to third-party accounts. */
export interface KnownIdentities {
  readonly providers: ReadonlySet<string>;
  readonly links: readonly { readonly identity: ForeignIdentity; readonly userId: string }[];
}

export type ConflictReason = 'username_taken' | 'identity_taken';

interface Account {
  readonly candidate: Candidate;
  readonly userId: string;
  readonly username: string;
}

export type Verdict =
  | (Account & {
      readonly result: 'made';
      /** The name that logs in as before, if neither the username nor a contact does. */
      readonly former: LoginName | undefined;
      readonly isNameLost: boolean;
    })
  | (Account & { readonly result: 'merged' })
  | (Account & { readonly result: 'completed'; readonly isNameLost: boolean })
  | { readonly result: 'unchanged'; readonly candidate: Candidate }
  | {
      readonly result: 'conflict';
      readonly candidate: Candidate;
      readonly why: ConflictReason;
      readonly holder: Pick<Holder, 'id'>;
    }
  /** The provider must be configured first. Without the link, the next login would register a second account. */
  | {
      readonly result: 'skipped';
      readonly candidate: Candidate;
      readonly why: 'provider_unknown';
      readonly provider: string;
    };

/** Plans one user after the other. A planned user conflicts with later ones, as the database's constraints require. */
export class ImportPlan {
  private readonly known = new Map<string, Known>();
  private readonly byUsername = new Map<string, Holder>();
  private readonly byFormerUsername = new Map<string, Holder>();
  private readonly byEmail = new Map<string, Holder>();
  private readonly byPhone = new Map<string, Holder>();
  private readonly byIdentity = new Map<string, Pick<Holder, 'id'>>();
  private providers: ReadonlySet<string> = new Set();

  constructor(private readonly newId: () => string) {}

  /** Adds the state of the database. */
  learn(known: readonly Known[], holders: readonly Holder[], identities: KnownIdentities): void {
    for (const one of known) this.known.set(one.sourceId, one);
    for (const holder of holders) this.remember(holder);
    this.providers = identities.providers;
    for (const { identity, userId } of identities.links) this.rememberIdentity(identity, userId);
  }

  evaluate(candidate: Candidate): Verdict {
    const known = this.known.get(candidate.sourceId);
    if (known) return this.planKnown(candidate, known);
    const sameEmail = candidate.email && this.byEmail.get(candidate.email.key);
    if (sameEmail && isSamePerson(candidate, sameEmail)) return this.merge(candidate, sameEmail);
    const free = this.withoutTakenContacts(candidate);
    return this.checkIdentities(free) ?? this.planNew(free);
  }

  private withoutTakenContacts(candidate: Candidate): Candidate {
    const { email, phone } = candidate;
    const withoutEmail = email && this.byEmail.has(email.key) ? withoutContact(candidate, 'email') : candidate;
    return phone !== undefined && this.byPhone.has(phone) ? withoutContact(withoutEmail, 'phone') : withoutEmail;
  }

  /** An import never moves a link to another account. Undefined: no conflict. */
  private checkIdentities(candidate: Candidate): Verdict | undefined {
    const unknown = candidate.identities.find(({ provider }) => !this.providers.has(provider));
    if (unknown) return { result: 'skipped', candidate, why: 'provider_unknown', provider: unknown.provider };
    const [holder] = candidate.identities.flatMap(keysOf).flatMap((key) => this.byIdentity.get(key) ?? []);
    return holder && { result: 'conflict', candidate, why: 'identity_taken', holder };
  }

  private planKnown(candidate: Candidate, known: Known): Verdict {
    const { userId, username, awaitsPassword, sourceId } = known;
    if (!awaitsPassword || !hasUsablePassword(candidate)) return { result: 'unchanged', candidate };
    this.known.set(sourceId, { ...known, awaitsPassword: false });
    return { result: 'completed', candidate, userId, username, isNameLost: !isFound(candidate, known) };
  }

  private merge(candidate: Candidate, holder: Holder): Verdict {
    const { id: userId, username, formerUsernameKey } = holder;
    const names = { username, formerUsernameKey, verifiedEmail: holder.emailKey, verifiedPhone: null };
    this.known.set(candidate.sourceId, { ...names, sourceId: candidate.sourceId, userId, awaitsPassword: false });
    return { result: 'merged', candidate, userId, username };
  }

  private planNew(candidate: Candidate): Verdict {
    const names = [candidate.username, ...(candidate.otherUsername === undefined ? [] : [candidate.otherUsername])];
    const username = names.find((name) => this.ownerOfName(usernameKey(name)) === undefined);
    const holder = this.ownerOfName(usernameKey(candidate.username));
    if (username === undefined && holder) return { result: 'conflict', candidate, why: 'username_taken', holder };
    return this.make(candidate, this.newId(), username ?? candidate.username);
  }

  private make(candidate: Candidate, userId: string, username: string): Verdict {
    const verified = verifiedContacts(candidate);
    const isNew = !isFound(candidate, { username, formerUsernameKey: null, ...verified });
    const former = isNew ? this.freeLoginName(candidate) : undefined;
    const names = { username, formerUsernameKey: former?.key ?? null };
    this.remember({ id: userId, ...names, ...contactsOf(candidate) });
    for (const identity of candidate.identities) this.rememberIdentity(identity, userId);
    const { sourceId } = candidate;
    this.known.set(sourceId, {
      sourceId,
      userId,
      ...names,
      ...verified,
      awaitsPassword: !hasUsablePassword(candidate),
    });
    return { result: 'made', candidate, userId, username, former, isNameLost: isNew && !former };
  }

  private ownerOfName(key: string): Holder | undefined {
    return this.byUsername.get(key) ?? this.byFormerUsername.get(key);
  }

  /** Undefined also for the contact of another account, verified or not, whose owner a login must find by it. */
  private freeLoginName({ loginName }: Candidate): LoginName | undefined {
    if (loginName?.key === undefined || this.ownerOfName(loginName.key)) return undefined;
    const { email, phone } = loginName;
    const hasOwner =
      (email !== undefined && this.byEmail.has(email)) || (phone !== undefined && this.byPhone.has(phone));
    return hasOwner ? undefined : loginName;
  }

  private rememberIdentity(identity: ForeignIdentity, id: string): void {
    for (const key of keysOf(identity)) this.byIdentity.set(key, { id });
  }

  private remember(holder: Holder): void {
    this.byUsername.set(usernameKey(holder.username), holder);
    if (holder.formerUsernameKey !== null) this.byFormerUsername.set(holder.formerUsernameKey, holder);
    if (holder.emailKey !== null) this.byEmail.set(holder.emailKey, holder);
    if (holder.phone !== null) this.byPhone.set(holder.phone, holder);
  }
}

/** Both sides must have verified the e-mail address: an unverified one may belong to another person. */
const isSamePerson = ({ emailVerified }: Candidate, holder: Holder): boolean => emailVerified && holder.emailVerified;

const hasUsablePassword = ({ password }: Candidate): boolean => password !== undefined && password.kind !== 'unusable';

const contactsOf = ({
  email,
  emailVerified,
  phone,
}: Candidate): Pick<Holder, 'emailKey' | 'emailVerified' | 'phone'> => ({
  emailKey: email?.key ?? null,
  emailVerified,
  phone: phone ?? null,
});

const verifiedContacts = (candidate: Candidate): Pick<AccountNames, 'verifiedEmail' | 'verifiedPhone'> => ({
  verifiedEmail: candidate.emailVerified ? (candidate.email?.key ?? null) : null,
  verifiedPhone: candidate.phoneVerified ? (candidate.phone ?? null) : null,
});

const isFound = ({ loginName }: Candidate, names: AccountNames): boolean => !loginName || isFoundBy(loginName, names);

const keysOf = (identity: ForeignIdentity): string[] => identity.subjects.map((subject) => nameKey(identity, subject));
