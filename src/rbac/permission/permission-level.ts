import { PermissionCode, WILDCARD } from './permission-code';

/** 1 read · 2 create · 3 update · 4 delete · 5 execute · 6 grant · 7 admin. */
export type PermissionLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const MAX_LEVEL = 7 satisfies PermissionLevel;

/** A grant of this action covers every action of its resource. */
export const ADMIN_ACTION = 'admin';

const standardRanks: ReadonlyMap<string, PermissionLevel> = new Map<string, PermissionLevel>([
  ['read', 1],
  ['create', 2],
  ['update', 3],
  ['delete', 4],
  ['execute', 5],
  ['grant', 6],
  [ADMIN_ACTION, MAX_LEVEL],
  [WILDCARD, MAX_LEVEL],
]);

/** The levels that a catalogue requires. Read at every check, so they may change at run time. */
export interface RankSource {
  /** Returns undefined when the catalogue has no level for the code. */
  requiredLevel(code: PermissionCode): PermissionLevel | undefined;
}

/** Whether the value is an integer from 1 to 7. */
export function isPermissionLevel(value: unknown): value is PermissionLevel {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_LEVEL;
}

/** Whether the action has a rank that the catalogue cannot change. */
export function hasStandardRank(action: string): boolean {
  return standardRanks.has(action);
}

/** The minimum level of a grant that allows the code: the rank of its action, or 7 for an unranked action. */
export function rankOf(code: PermissionCode, catalogue?: RankSource): PermissionLevel {
  const standard = standardRanks.get(code.action);
  if (standard !== undefined) return standard;
  // A wildcard code must never need less than any code it includes, so the catalogue cannot lower it.
  if (code.scope === WILDCARD || code.resource === WILDCARD) return MAX_LEVEL;
  return catalogue?.requiredLevel(code) ?? MAX_LEVEL;
}
