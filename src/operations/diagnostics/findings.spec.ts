import {
  evaluateAdministrator,
  evaluateClock,
  evaluateKeys,
  evaluateMail,
  evaluateOrigin,
  evaluatePkce,
  evaluateProxy,
  evaluateRedis,
  evaluateScheme,
} from './findings';

describe('findings', () => {
  it.each([
    [evaluateOrigin('https://id.example', undefined), 'ok', 'fine'],
    [evaluateOrigin('https://id.example', 'https://id.example'), 'ok', 'fine'],
    [evaluateOrigin('http://10.0.0.5:4000', 'https://id.example'), 'error', 'foreign'],
    [evaluateScheme(true, true), 'ok', 'fine'],
    [evaluateScheme(false, false), 'warning', 'open'],
    [evaluateScheme(false, true), 'error', 'open'],
    [evaluateProxy('10.0.0.5', false, false), 'ok', 'none'],
    [evaluateProxy('10.0.0.5', true, true), 'ok', 'trusted'],
    [evaluateProxy('10.0.0.5', false, true), 'warning', 'untrusted'],
    [evaluateClock(999), 'ok', 'fine'],
    [evaluateClock(1_500), 'warning', 'ahead'],
    [evaluateClock(-60_000), 'error', 'behind'],
    [evaluateKeys(false), 'ok', 'fine'],
    [evaluateKeys(true), 'error', 'foreign'],
    [evaluateAdministrator(true), 'ok', 'fine'],
    [evaluateAdministrator(false), 'warning', 'none'],
    [evaluateRedis({ kind: 'none' }, false), 'ok', 'none'],
    [evaluateRedis({ kind: 'none' }, true), 'warning', 'none'],
    [evaluateRedis({ kind: 'away' }, false), 'error', 'away'],
    [evaluateRedis({ kind: 'up', policy: 'noeviction' }, true), 'ok', 'fine'],
    [evaluateRedis({ kind: 'up', policy: 'volatile-lru' }, true), 'warning', 'evicting'],
    [evaluateRedis({ kind: 'up', policy: undefined }, true), 'warning', 'unknown'],
    [evaluatePkce([]), 'ok', 'fine'],
    [evaluatePkce(['Intranet']), 'warning', 'off'],
    [evaluateMail(undefined), 'warning', 'none'],
    [evaluateMail({ missing: 'email.from' }), 'warning', 'incomplete'],
    [evaluateMail({ host: 'smtp.example', port: 587, isProtected: true }), 'ok', 'fine'],
    [evaluateMail({ host: 'smtp.example', port: 25, isProtected: false }), 'warning', 'open'],
  ])('%j', (found, state, outcome) => {
    expect([found.state, found.outcome]).toEqual([state, outcome]);
  });
});
