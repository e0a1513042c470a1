import type { CachedSession } from './cached-session';

/** How long an entry is used after the database read. */
export const ENTRY_SECONDS = 60;

const isText = (value: unknown): boolean => typeof value === 'string';
const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

function isActor(value: unknown): boolean {
  if (value === null) return true;
  const { userId, username, sessionId } = (typeof value === 'object' ? value : {}) as Record<string, unknown>;
  return [userId, username, sessionId].every(isText);
}

const shape: Record<keyof CachedSession, (value: unknown) => boolean> = {
  id: isText,
  userId: isText,
  counter: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  revoked: (value) => value === false,
  createdAt: isTime,
  expiresAt: isTime,
  authenticatedAt: isTime,
  rotatedAt: isTime,
  readAt: isTime,
  secondFactorAt: (value) => value === null || isTime(value),
  amr: (value) => Array.isArray(value) && value.every(isText),
  // Required, like the actor: an entry of a former version hides neither.
  loginMethod: isText,
  actor: (value) => value !== undefined && isActor(value),
};

/** The cache entry of a session that has ended. */
export const endedEntry = (id: string): object => ({ id, revoked: true });

/**
 * Returns the session of a cache entry, or undefined when the entry belongs to another session, has ended or is
 * malformed.
 */
export function parseSessionEntry(id: string, entry: unknown): CachedSession | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const values = entry as Record<string, unknown>;
  if (values['id'] !== id) return undefined;
  const session: Record<string, unknown> = {};
  for (const [field, isValid] of Object.entries(shape)) {
    if (!isValid(values[field])) return undefined;
    session[field] = values[field];
  }
  return session as unknown as CachedSession;
}
