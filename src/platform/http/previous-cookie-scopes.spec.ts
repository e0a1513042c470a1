import type { CookieScope } from './cookie-names';
import { previousCookieScopes, PreviousScopeValues } from './previous-cookie-scopes';

const current: CookieScope = { prefix: 'now', path: '/', domain: '' };
const at = (minute: number): Date => new Date(Date.UTC(2030, 0, 1, 0, minute));
const none: PreviousScopeValues = { prefix: [], path: [], domain: [] };
const past = (values: Partial<PreviousScopeValues>, max = 5): CookieScope[] =>
  previousCookieScopes(current, { ...none, ...values }, max).map(({ until: _until, ...scope }) => scope);

describe('previousCookieScopes', () => {
  it('returns nothing without changes', () => {
    expect(past({})).toEqual([]);
  });

  it('returns the latest scope first', () => {
    const prefix = [
      { value: 'second', until: at(2) },
      { value: 'first', until: at(1) },
    ];
    expect(past({ prefix }).map((scope) => scope.prefix)).toEqual(['second', 'first']);
  });

  it('returns one scope for several attributes changed together', () => {
    const previous = { prefix: [{ value: 'old', until: at(1) }], path: [{ value: '/api', until: at(1) }] };
    expect(past(previous)).toEqual([{ prefix: 'old', path: '/api', domain: '' }]);
  });

  it('returns a scope for each separate change', () => {
    const previous = {
      prefix: [{ value: 'old', until: at(1) }],
      path: [{ value: '/api', until: at(2) }],
      domain: [{ value: 'example.com', until: at(3) }],
    };
    expect(past(previous)).toEqual([
      { prefix: 'now', path: '/', domain: 'example.com' },
      { prefix: 'now', path: '/api', domain: 'example.com' },
      { prefix: 'old', path: '/api', domain: 'example.com' },
    ]);
  });

  it('omits the current scope and duplicates', () => {
    const prefix = ['other', 'now', 'other', 'now'].map((value, index) => ({ value, until: at(9 - index) }));
    expect(past({ prefix })).toEqual([{ prefix: 'other', path: '/', domain: '' }]);
  });

  it('limits the number of scopes', () => {
    const prefix = Array.from({ length: 9 }, (_, index) => ({ value: `p${index}`, until: at(9 - index) }));
    expect(past({ prefix }, 3).map((scope) => scope.prefix)).toEqual(['p0', 'p1', 'p2']);
  });

  it('returns the time until which each scope was effective', () => {
    const prefix = ['two', 'one', 'two'].map((value, index) => ({ value, until: at(9 - index) }));
    const scopes = previousCookieScopes(current, { ...none, prefix }, 5);
    expect(scopes.map((scope) => [scope.prefix, scope.until])).toEqual([
      ['two', at(9).getTime()],
      ['one', at(8).getTime()],
    ]);
  });

  it('maps stored settings to effective scopes', () => {
    const path = [{ value: '/api', until: at(1) }];
    const effective = (scope: CookieScope): CookieScope => (scope.path === '/' ? { ...scope, prefix: 'host' } : scope);
    expect(previousCookieScopes(current, { ...none, path }, 5, effective)).toMatchObject([
      { prefix: 'now', path: '/api' },
    ]);
  });
});
