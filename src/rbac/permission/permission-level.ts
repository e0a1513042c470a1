import { PermissionCode, WILDCARD } from './permission-code';

/** 1 read · 2 create · 3 update · 4 delete · 5 execute · 6 grant · 7 admin. */
export type PermissionLevel = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export const MAX_LEVEL = 7 satisfies PermissionLevel;

/** The action that, granted, stands for every action of its resource. */
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

/** The levels a catalogue requires. It is asked at every check, so what it answers may change while it runs. */
export interface RankSource {
  /** Undefined when the catalogue does not say. */
  requiredLevel(code: PermissionCode): PermissionLevel | undefined;
}

/** Whether the value is a whole number from 1 to 7. */
export function isPermissionLevel(value: unknown): value is PermissionLevel {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_LEVEL;
}

/** Whether the action has a rank no catalogue changes. */
export function hasStandardRank(action: string): boolean {
  return standardRanks.has(action);
}

/** The level a grant needs at least to allow the code: the rank of its action, 7 for an action nobody ranked. */
export function rankOf(code: PermissionCode, catalogue?: RankSource): PermissionLevel {
  const standard = standardRanks.get(code.action);
  if (standard !== undefined) return standard;
  // A code for many must never be easier to get than the hardest one it stands for, so the catalogue cannot lower it.
  if (code.scope === WILDCARD || code.resource === WILDCARD) return MAX_LEVEL;
  return catalogue?.requiredLevel(code) ?? MAX_LEVEL;
}
