import type { CookieScope } from './cookie-names';
import { previousCookieScopes, PreviousScopeValues } from './previous-cookie-scopes';

const current: CookieScope = { prefix: 'now', path: '/', domain: '' };
const at = (minute: number): Date => new Date(Date.UTC(2030, 0, 1, 0, minute));
const none: PreviousScopeValues = { prefix: [], path: [], domain: [] };
const past = (values: Partial<PreviousScopeValues>, most = 5): CookieScope[] =>
  previousCookieScopes(current, { ...none, ...values }, most).map(({ until: _until, ...frame }) => frame);

describe('the former frames of cookies', () => {
  it('are none where nothing was ever changed', () => {
    expect(past({})).toEqual([]);
  });

  it('come latest first', () => {
    const prefix = [
      { value: 'second', until: at(2) },
      { value: 'first', until: at(1) },
    ];
    expect(past({ prefix }).map((frame) => frame.prefix)).toEqual(['second', 'first']);
  });

  it('are one where several attributes changed at once', () => {
    const former = { prefix: [{ value: 'old', until: at(1) }], path: [{ value: '/api', until: at(1) }] };
    expect(past(former)).toEqual([{ prefix: 'old', path: '/api', domain: '' }]);
  });

  it('are several where one attribute changed after the other', () => {
    const former = {
      prefix: [{ value: 'old', until: at(1) }],
      path: [{ value: '/api', until: at(2) }],
      domain: [{ value: 'example.com', until: at(3) }],
    };
    expect(past(former)).toEqual([
      { prefix: 'now', path: '/', domain: 'example.com' },
      { prefix: 'now', path: '/api', domain: 'example.com' },
      { prefix: 'old', path: '/api', domain: 'example.com' },
    ]);
  });

  it('leave out the current one, whenever it was in force, and tell each once', () => {
    const prefix = ['other', 'now', 'other', 'now'].map((value, index) => ({ value, until: at(9 - index) }));
    expect(past({ prefix })).toEqual([{ prefix: 'other', path: '/', domain: '' }]);
  });

  it('are bounded', () => {
    const prefix = Array.from({ length: 9 }, (_, index) => ({ value: `p${index}`, until: at(9 - index) }));
    expect(past({ prefix }, 3).map((frame) => frame.prefix)).toEqual(['p0', 'p1', 'p2']);
  });

  it('say until when each was last in force', () => {
    const prefix = ['two', 'one', 'two'].map((value, index) => ({ value, until: at(9 - index) }));
    const frames = previousCookieScopes(current, { ...none, prefix }, 5);
    expect(frames.map((frame) => [frame.prefix, frame.until])).toEqual([
      ['two', at(9).getTime()],
      ['one', at(8).getTime()],
    ]);
  });

  it('are what their settings made of them', () => {
    const path = [{ value: '/api', until: at(1) }];
    const inForce = (frame: CookieScope): CookieScope => (frame.path === '/' ? { ...frame, prefix: 'host' } : frame);
    expect(previousCookieScopes(current, { ...none, path }, 5, inForce)).toMatchObject([
      { prefix: 'now', path: '/api' },
    ]);
  });
});
