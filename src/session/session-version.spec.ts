import type { CachedSession } from './cached-session';
import { ENDED_VERSION, versionOf } from './session-version';

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

const session = (change: Partial<CachedSession> = {}): CachedSession => ({
  id: 's',
  userId: 'u',
  counter: 3,
  revoked: false,
  createdAt: START,
  authenticatedAt: START,
  rotatedAt: START,
  readAt: START,
  expiresAt: START + 90 * DAY_MS,
  secondFactorAt: null,
  amr: ['pwd'],
  ...change,
});

describe('the version of a session', () => {
  it.each([
    { what: 'a refresh', older: {}, newer: { counter: 4 } },
    { what: 'a refresh after a proof', older: { authenticatedAt: START + 89 * DAY_MS }, newer: { counter: 4 } },
    { what: 'a proof of identity', older: {}, newer: { authenticatedAt: START + 1_000 } },
    { what: 'a proof of a second factor', older: {}, newer: { secondFactorAt: START + 1_000 } },
    { what: 'the end', older: { counter: 2_147_483_647 }, newer: { revoked: true } },
    { what: 'the end of a session with proofs', older: { secondFactorAt: START + DAY_MS }, newer: { revoked: true } },
  ])('is higher after $what', ({ older, newer }) => {
    expect(versionOf(session(newer))).toBeGreaterThan(versionOf(session(older)));
  });

  it.each([
    { what: 'when the database was read', change: { readAt: START + DAY_MS } },
    { what: 'how long the session lives', change: { expiresAt: START + 91 * DAY_MS } },
  ])('does not depend on $what', ({ change }) => {
    expect(versionOf(session(change))).toBe(versionOf(session()));
  });

  it.each([
    { authenticatedAt: START - DAY_MS },
    { counter: 2_147_483_647 },
    { counter: 1, authenticatedAt: START + 20 * 365 * DAY_MS },
    { revoked: true },
  ])('is a safe whole number for %j', (change) => {
    const version = versionOf(session(change));
    expect(Number.isSafeInteger(version) && version > 0 && version <= ENDED_VERSION).toBe(true);
  });
});
