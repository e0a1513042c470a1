/** What is wrong, with the number of a root or the id of an event. */
export type ChainFault =
  /** `event_left`: in a month that retention has dropped. */
  | { readonly kind: 'event_changed' | 'event_missing' | 'event_added' | 'event_left'; readonly event_id: string }
  /** The retention in force did not allow the drop yet. */
  | { readonly kind: 'dropped_early'; readonly root: number; readonly month: string }
  /** `root_changed`: its signature, its content or its entries are not those that were signed. */
  | { readonly kind: 'root_changed' | 'root_missing'; readonly root: number };

/** A retention that became shorter, by the root that first says so. */
export interface ShorterRetention {
  readonly root: number;
  readonly at: string;
  readonly from_days: number;
  readonly to_days: number;
}

export interface ChainReport {
  /** Roots read. */
  readonly roots: number;
  /** Events that are as they were signed. */
  readonly proven: number;
  /** Events that retention has dropped. */
  readonly dropped: number;
  /**
   * Former versions dropped months without a signature. Missing events of times before this one are accepted; null if
   * there was no such drop.
   */
  readonly unsigned_drops_before: string | null;
  /** Each is a change by the service. No fault, but what an attacker with an administrator's rights would begin with. */
  readonly retention_shortened: readonly ShorterRetention[];
  /** Events that no root covers: from before the first root, and since the last one. Null if only a part was read. */
  readonly unproven: { readonly before: number; readonly after: number } | null;
  /** The last root read. */
  readonly last: { readonly number: number; readonly made_at: string; readonly digest: string } | null;
  /** The first faults. */
  readonly faults: readonly ChainFault[];
  readonly faults_total: number;
}

/** Enough to see what happened. */
const MAX_LISTED = 1_000;

/** Collects the result of a verification, with a bound on the memory. */
export class ChainFindings {
  roots = 0;
  proven = 0;
  dropped = 0;
  unsignedDropsBefore: ChainReport['unsigned_drops_before'] = null;
  last: ChainReport['last'] = null;
  private total = 0;
  private readonly shortened: ShorterRetention[] = [];
  private readonly listed: ChainFault[] = [];

  add(fault: ChainFault): void {
    this.total++;
    if (this.listed.length < MAX_LISTED) this.listed.push(fault);
  }

  addShorter(retention: ShorterRetention): void {
    if (this.shortened.length < MAX_LISTED) this.shortened.push(retention);
  }

  report(unproven: ChainReport['unproven']): ChainReport {
    const { roots, proven, dropped, last, listed: faults, total: faults_total } = this;
    const { unsignedDropsBefore: unsigned_drops_before, shortened: retention_shortened } = this;
    return { roots, proven, dropped, unsigned_drops_before, retention_shortened, unproven, last, faults, faults_total };
  }
}
