import { usernameKey } from '../users';
import { ForeignIdentity, nameKey } from './foreign-user';
import { Candidate, withoutContact } from './candidate';

/** The owner of a username or contact that an imported user has, too. */
export interface Holder {
  readonly id: string;
  readonly username: string;
  readonly emailKey: string | null;
  readonly emailVerified: boolean;
  readonly phone: string | null;
}

/** A user that an earlier import created or matched. */
export interface Known {
  readonly sourceId: string;
  readonly userId: string;
  readonly username: string;
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

export type Verdict =
  | { readonly result: 'made'; readonly candidate: Candidate; readonly userId: string; readonly username: string }
  | { readonly result: 'merged'; readonly candidate: Candidate; readonly userId: string; readonly username: string }
  | { readonly result: 'completed'; readonly candidate: Candidate; readonly userId: string; readonly username: string }
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

  private planKnown(candidate: Candidate, { userId, username, awaitsPassword, sourceId }: Known): Verdict {
    if (!awaitsPassword || !hasUsablePassword(candidate)) return { result: 'unchanged', candidate };
    this.known.set(sourceId, { sourceId, userId, username, awaitsPassword: false });
    return { result: 'completed', candidate, userId, username };
  }

  private merge(candidate: Candidate, holder: Holder): Verdict {
    this.note(candidate, holder, false);
    return { result: 'merged', candidate, userId: holder.id, username: holder.username };
  }

  private planNew(candidate: Candidate): Verdict {
    const names = [candidate.username, ...(candidate.otherUsername === undefined ? [] : [candidate.otherUsername])];
    const username = names.find((name) => !this.byUsername.has(usernameKey(name)));
    const holder = this.byUsername.get(usernameKey(candidate.username));
    if (username === undefined && holder) return { result: 'conflict', candidate, why: 'username_taken', holder };
    const made = {
      id: this.newId(),
      username: username ?? candidate.username,
      emailKey: candidate.email?.key ?? null,
      emailVerified: candidate.emailVerified,
      phone: candidate.phone ?? null,
    };
    this.remember(made);
    for (const identity of candidate.identities) this.rememberIdentity(identity, made.id);
    this.note(candidate, made, !hasUsablePassword(candidate));
    return { result: 'made', candidate, userId: made.id, username: made.username };
  }

  private note({ sourceId }: Candidate, { id, username }: Holder, awaitsPassword: boolean): void {
    this.known.set(sourceId, { sourceId, userId: id, username, awaitsPassword });
  }

  private rememberIdentity(identity: ForeignIdentity, id: string): void {
    for (const key of keysOf(identity)) this.byIdentity.set(key, { id });
  }

  private remember(holder: Holder): void {
    this.byUsername.set(usernameKey(holder.username), holder);
    if (holder.emailKey !== null) this.byEmail.set(holder.emailKey, holder);
    if (holder.phone !== null) this.byPhone.set(holder.phone, holder);
  }
}

/** Both sides must have verified the e-mail address: an unverified one may belong to another person. */
const isSamePerson = ({ emailVerified }: Candidate, holder: Holder): boolean => emailVerified && holder.emailVerified;

const hasUsablePassword = ({ password }: Candidate): boolean => password !== undefined && password.kind !== 'unusable';

const keysOf = (identity: ForeignIdentity): string[] => identity.subjects.map((subject) => nameKey(identity, subject));
