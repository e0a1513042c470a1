import { AuditPosition } from '../log/audit-position.repository';

/** What the signature of a root covers. */
export interface RootClaims {
  /** From 1, without gaps. */
  readonly number: number;
  /** SHA-256 of the token of the root before it; null for the first. */
  readonly previous: string | null;
  /** The place before its events. */
  readonly from: AuditPosition;
  /** The place of its last event. */
  readonly to: AuditPosition;
  readonly events: number;
  /** The time of the latest event, in milliseconds. */
  readonly last_at: number;
  /** SHA-256 of the entries. */
  readonly root: string;
  /**
   * Whether the digests include the organization of an event. Absent from roots of versions that did not know it. Signed, so
   * that nothing chooses the weaker digest later.
   */
  readonly has_organizations?: true;
  /**
   * The retention in force: setting `audit.retention_days` as the service last changed it. Absent from roots of versions that
   * signed no drop.
   */
  readonly retention_days?: number;
  /** What retention drops in the transaction of this root, which covers no event then. */
  readonly dropped?: SignedDrop;
  /** In the first root after one of a version that signed no drop: that had dropped everything before, in milliseconds. */
  readonly dropped_before?: number;
}

export interface SignedDrop {
  /** Such as `2026-08`, in UTC. */
  readonly months: readonly string[];
  readonly retention_days: number;
  /** By the clock of the database, in milliseconds. */
  readonly at: number;
}

export const ROOT_TYPE = 'audit-root+jwt';

/** Whether the claims of a genuine signature have the form of this version. */
export function areRootClaims(claims: unknown): claims is RootClaims {
  const { number, from, to, root } = (claims ?? {}) as Partial<Record<keyof RootClaims, unknown>>;
  return typeof number === 'number' && isPlace(from) && isPlace(to) && typeof root === 'string';
}

function isPlace(value: unknown): boolean {
  const { position, id } = (value ?? {}) as Partial<Record<keyof AuditPosition, unknown>>;
  return typeof position === 'string' && typeof id === 'string';
}

/** The claims of a token, without a check of its signature. */
export function unverifiedClaims(token: string): RootClaims {
  const [, body = ''] = token.split('.');
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as RootClaims;
}
