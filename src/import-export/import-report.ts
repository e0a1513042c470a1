import type { NamedRole, RoleLeftOut } from '../rbac';
import { Candidate, ImportNote } from './candidate';
import { SkippedEntry } from './foreign-user';
import { Verdict } from './import-plan';

/** The number of entries with each result. */
export interface ImportTotals {
  read: number;
  made: number;
  merged: number;
  /** Accounts that got the password that an earlier file lacked. */
  completed: number;
  unchanged: number;
  conflict: number;
  skipped: number;
  /** New and completed accounts that need an administrator: `no_way_in` or `login_name_lost`. */
  cannot_log_in: number;
  notes: Partial<Record<ImportNote, number>>;
  /** Of an import that gives roles. */
  readonly roles_given?: readonly RoleGiven[];
}

/** A role that the file gives, beside the default role. */
export interface RoleGiven {
  /** `scope:name`. */
  readonly role: string;
  /** New users who get it. */
  readonly users: number;
}

/** A line about a user who was not imported unchanged. */
export interface ImportLine {
  readonly result: Verdict['result'] | 'skipped';
  readonly source_id: string | null;
  readonly name: string | null;
  readonly username?: string;
  readonly why?: string;
  /** The line of the file that is not JSON. */
  readonly line?: number;
  /** The provider that is not configured. */
  readonly provider?: string;
  /** The owner of the username or contact. */
  readonly holder_id?: string;
  readonly notes?: readonly string[];
  /** Roles of the entry that the user does not get. */
  readonly roles_left_out?: readonly RoleLeftOut[];
}

export type PrintLine = (line: ImportLine) => void;

/** Notes that nobody must act upon: users still log in, and can mend it themselves. */
const HARMLESS: ReadonlySet<string> = new Set<ImportNote>([
  'renamed',
  'email_invalid',
  'phone_invalid',
  'nickname_invalid',
  'locale_unknown',
  'password_unusable',
  'weak_password_hash',
  'identity_left_out',
]);
/** Entries that are no people, or not any more. */
const EXPECTED: ReadonlySet<string> = new Set(['service_account', 'deleted_there']);

/** Whether an operator must do something about the user or the file. */
export function needsAction({ result, why = '', notes = [], roles_left_out: roles = [] }: ImportLine): boolean {
  if (result === 'conflict') return true;
  if (result === 'skipped') return !EXPECTED.has(why);
  return roles.length > 0 || notes.some((note) => !HARMLESS.has(note));
}

/** Counts all entries, and prints a line for those that an operator may need to check. */
export class ImportReport {
  readonly totals: ImportTotals = {
    read: 0,
    made: 0,
    merged: 0,
    completed: 0,
    unchanged: 0,
    conflict: 0,
    skipped: 0,
    cannot_log_in: 0,
    notes: {},
  };

  private readonly given = new Map<string, number>();

  constructor(private readonly print: PrintLine) {}

  /** All roles that new users get, by name. */
  get rolesGiven(): RoleGiven[] {
    const roles = [...this.given].map(([role, users]) => ({ role, users }));
    return roles.sort((one, other) => (one.role < other.role ? -1 : 1));
  }

  skipped(entry: Pick<SkippedEntry, 'sourceId' | 'name' | 'line'>, why: SkippedEntry['why'] | 'id_unusable'): void {
    this.totals.read += 1;
    this.totals.skipped += 1;
    const { sourceId = null, name = null, line } = entry;
    this.print({ result: 'skipped', source_id: sourceId, name, why, ...(line !== undefined && { line }) });
  }

  /** Counts the roles of a new user. */
  gave(roles: readonly NamedRole[]): void {
    for (const { scope, name } of roles) {
      const role = `${scope}:${name}`;
      this.given.set(role, (this.given.get(role) ?? 0) + 1);
    }
  }

  /** @param more notes that the write added. */
  evaluated(verdict: Verdict, more: readonly ImportNote[], rolesLeftOut: readonly RoleLeftOut[]): void {
    const { result, candidate } = verdict;
    this.totals.read += 1;
    this.totals[result] += 1;
    if (result === 'unchanged') return;
    const notes = result === 'conflict' || result === 'skipped' ? [] : [...candidate.notes, ...more];
    this.count(notes);
    if (result === 'made' && notes.length === 0 && rolesLeftOut.length === 0) return;
    this.print({
      ...lineOf(verdict, candidate, notes),
      ...(rolesLeftOut.length > 0 && { roles_left_out: rolesLeftOut }),
    });
  }

  private count(notes: readonly ImportNote[]): void {
    for (const note of notes) this.totals.notes[note] = (this.totals.notes[note] ?? 0) + 1;
    if (notes.includes('no_way_in') || notes.includes('login_name_lost')) this.totals.cannot_log_in += 1;
  }
}

function lineOf(verdict: Verdict, { sourceId, name }: Candidate, notes: readonly ImportNote[]): ImportLine {
  return {
    result: verdict.result,
    source_id: sourceId,
    name: name ?? null,
    ...('username' in verdict && { username: verdict.username }),
    ...(verdict.result === 'conflict' && { why: verdict.why, holder_id: verdict.holder.id }),
    ...(verdict.result === 'skipped' && { why: verdict.why, provider: verdict.provider }),
    ...(notes.length > 0 && { notes }),
  };
}
