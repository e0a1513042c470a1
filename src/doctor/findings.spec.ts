import { judgeClock, judgeKeys, judgeMail, judgeOrigin, judgeProxy, judgeRedis, judgeScheme } from './findings';

describe('findings', () => {
  it.each([
    [judgeOrigin('https://id.example', undefined), 'ok', 'fine'],
    [judgeOrigin('https://id.example', 'https://id.example'), 'ok', 'fine'],
    [judgeOrigin('http://10.0.0.5:4000', 'https://id.example'), 'error', 'foreign'],
    [judgeScheme(true, true), 'ok', 'fine'],
    [judgeScheme(false, false), 'warning', 'open'],
    [judgeScheme(false, true), 'error', 'open'],
    [judgeProxy('10.0.0.5', false, false), 'ok', 'none'],
    [judgeProxy('10.0.0.5', true, true), 'ok', 'trusted'],
    [judgeProxy('10.0.0.5', false, true), 'warning', 'untrusted'],
    [judgeClock(999), 'ok', 'fine'],
    [judgeClock(1_500), 'warning', 'ahead'],
    [judgeClock(-60_000), 'error', 'behind'],
    [judgeKeys(false), 'ok', 'fine'],
    [judgeKeys(true), 'error', 'foreign'],
    [judgeRedis({ kind: 'none' }, false), 'ok', 'none'],
    [judgeRedis({ kind: 'none' }, true), 'warning', 'none'],
    [judgeRedis({ kind: 'away' }, false), 'error', 'away'],
    [judgeRedis({ kind: 'up', policy: 'noeviction' }, true), 'ok', 'fine'],
    [judgeRedis({ kind: 'up', policy: 'volatile-lru' }, true), 'warning', 'evicting'],
    [judgeRedis({ kind: 'up', policy: undefined }, true), 'warning', 'unknown'],
    [judgeMail(undefined), 'warning', 'none'],
    [judgeMail({ missing: 'email.from' }), 'warning', 'incomplete'],
    [judgeMail({ host: 'smtp.example', port: 587, isProtected: true }), 'ok', 'fine'],
    [judgeMail({ host: 'smtp.example', port: 25, isProtected: false }), 'warning', 'open'],
  ])('%j', (found, state, outcome) => {
    expect([found.state, found.outcome]).toEqual([state, outcome]);
  });
});
