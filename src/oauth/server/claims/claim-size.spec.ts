import { fitClaims, MAX_CLAIM_BYTES, withReferences } from './claim-size';

const ENDPOINT = 'https://id.example.com/api/oauth/userinfo';
/** A claim whose JSON, with its name of one letter, has this many bytes. */
const ofBytes = (bytes: number): object => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });

describe('claims of a token', () => {
  it.each([
    [MAX_CLAIM_BYTES, []],
    [MAX_CLAIM_BYTES + 1, ['a']],
  ])('of %i bytes refer to %j', (bytes, referenced) => {
    expect(fitClaims(ofBytes(bytes) as Record<string, unknown>).referenced).toEqual(referenced);
  });

  it('count bytes, not characters', () => {
    expect(fitClaims({ a: '角'.repeat(3_000) }).referenced).toEqual(['a']);
  });

  it('keep the small claims when a large one moves out', () => {
    const claims = { small: 'x', large: ['y'.repeat(9_000)], medium: ['z'.repeat(4_000)] };
    expect(withReferences(fitClaims(claims), ENDPOINT)).toEqual({
      small: 'x',
      medium: claims.medium,
      _claim_names: { large: 'userinfo' },
      _claim_sources: { userinfo: { endpoint: ENDPOINT } },
    });
  });

  it('contain no references when they fit', () => {
    expect(withReferences(fitClaims({ a: 'x' }), ENDPOINT)).toEqual({ a: 'x' });
  });
});
