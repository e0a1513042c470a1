import type { CachedSession } from './cached-session';
import { ENDED_VERSION, versionOf } from './session-version';

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

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
  loginMethod: 'password',
  actor: null,
  ...change,
});

describe('versionOf', () => {
  it.each([
    { what: 'a refresh', older: {}, newer: { counter: 4 } },
    {
      what: 'a refresh after a reauthentication',
      older: { authenticatedAt: START + 89 * DAY_MS },
      newer: { counter: 4 },
    },
    { what: 'a reauthentication', older: {}, newer: { authenticatedAt: START + 1_000 } },
    { what: 'a second-factor verification', older: {}, newer: { secondFactorAt: START + 1_000 } },
    { what: 'the 16-millionth refresh', older: { counter: 16_777_214 }, newer: { counter: 16_777_215 } },
    {
      what: 'a reauthentication after 17 years',
      older: { authenticatedAt: START + 17 * YEAR_MS },
      newer: { authenticatedAt: START + 17 * YEAR_MS + 1_000 },
    },
    { what: 'a revocation', older: { counter: 2_147_483_647 }, newer: { revoked: true } },
    {
      what: 'a revocation after a second-factor verification',
      older: { secondFactorAt: START + DAY_MS },
      newer: { revoked: true },
    },
  ])('increases after $what', ({ older, newer }) => {
    expect(versionOf(session(newer))).toBeGreaterThan(versionOf(session(older)));
  });

  it.each([
    { what: 'the time of the database read', change: { readAt: START + DAY_MS } },
    { what: 'the expiry', change: { expiresAt: START + 91 * DAY_MS } },
  ])('does not depend on $what', ({ change }) => {
    expect(versionOf(session(change))).toBe(versionOf(session()));
  });

  it.each([
    { authenticatedAt: START - DAY_MS },
    { counter: 2_147_483_647 },
    { counter: 1, authenticatedAt: START + 20 * YEAR_MS },
    { revoked: true },
  ])('returns a safe integer for %j', (change) => {
    const version = versionOf(session(change));
    expect(Number.isSafeInteger(version) && version > 0 && version <= ENDED_VERSION).toBe(true);
  });
});
