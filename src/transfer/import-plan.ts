import { usernameKey } from '../users';
import { ForeignIdentity, nameKey } from './foreign-user';
import { Candidate } from './candidate';

/** Who holds a name or a contact that somebody is to be imported with. */
export interface Holder {
  readonly id: string;
  readonly username: string;
  readonly emailKey: string | null;
  readonly emailVerified: boolean;
  readonly phone: string | null;
}

/** Who came of an earlier import. */
export interface Known {
  readonly sourceId: string;
  readonly userId: string;
  readonly username: string;
  /** An account of the import, without a password, in which nobody ever was: the password may still come, of another file. */
  readonly awaitsPassword: boolean;
}

/** What people are linked by, as far as it is known here. */
export interface KnownIdentities {
  readonly providers: ReadonlySet<string>;
  readonly links: readonly { readonly identity: ForeignIdentity; readonly userId: string }[];
}

export type ConflictReason = 'username_taken' | 'email_taken' | 'phone_taken' | 'identity_taken';

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
  /** Until it is set up: who is made without their way in would be a stranger at their next login. */
  | {
      readonly result: 'skipped';
      readonly candidate: Candidate;
      readonly why: 'provider_unknown';
      readonly provider: string;
    };

/** Judges one after the other: who was made stands in the way of whoever comes later, as the database will have it. */
export class ImportPlan {
  private readonly known = new Map<string, Known>();
  private readonly byUsername = new Map<string, Holder>();
  private readonly byEmail = new Map<string, Holder>();
  private readonly byPhone = new Map<string, Holder>();
  private readonly byIdentity = new Map<string, Pick<Holder, 'id'>>();
  private providers: ReadonlySet<string> = new Set();

  constructor(private readonly newId: () => string) {}

  /** What the database says. */
  learn(known: readonly Known[], holders: readonly Holder[], identities: KnownIdentities): void {
    for (const one of known) this.known.set(one.sourceId, one);
    for (const holder of holders) this.remember(holder);
    this.providers = identities.providers;
    for (const { identity, userId } of identities.links) this.rememberIdentity(identity, userId);
  }

  judge(candidate: Candidate): Verdict {
    const known = this.known.get(candidate.sourceId);
    if (known) return this.judgeKnown(candidate, known);
    const { email, phone } = candidate;
    const sameEmail = email && this.byEmail.get(email.key);
    if (sameEmail) return this.judgeSameEmail(candidate, sameEmail);
    const samePhone = phone === undefined ? undefined : this.byPhone.get(phone);
    if (samePhone) return { result: 'conflict', candidate, why: 'phone_taken', holder: samePhone };
    return this.judgeIdentities(candidate) ?? this.judgeName(candidate);
  }

  /** A link never moves. undefined: nothing of it stands in the way. */
  private judgeIdentities(candidate: Candidate): Verdict | undefined {
    const unknown = candidate.identities.find(({ provider }) => !this.providers.has(provider));
    if (unknown) return { result: 'skipped', candidate, why: 'provider_unknown', provider: unknown.provider };
    const [holder] = candidate.identities.flatMap(keysOf).flatMap((key) => this.byIdentity.get(key) ?? []);
    return holder && { result: 'conflict', candidate, why: 'identity_taken', holder };
  }

  private judgeKnown(candidate: Candidate, { userId, username, awaitsPassword, sourceId }: Known): Verdict {
    if (!awaitsPassword || !hasUsablePassword(candidate)) return { result: 'unchanged', candidate };
    this.known.set(sourceId, { sourceId, userId, username, awaitsPassword: false });
    return { result: 'completed', candidate, userId, username };
  }

  /** Proved on both sides it is one person; a claim on either side may be anybody's. */
  private judgeSameEmail(candidate: Candidate, holder: Holder): Verdict {
    if (!candidate.emailVerified || !holder.emailVerified) {
      return { result: 'conflict', candidate, why: 'email_taken', holder };
    }
    this.note(candidate, holder, false);
    return { result: 'merged', candidate, userId: holder.id, username: holder.username };
  }

  private judgeName(candidate: Candidate): Verdict {
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

const hasUsablePassword = ({ password }: Candidate): boolean => password !== undefined && password.kind !== 'unusable';

const keysOf = (identity: ForeignIdentity): string[] => identity.subjects.map((subject) => nameKey(identity, subject));
