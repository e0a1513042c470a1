import { CandidateOrganization, MAX_ORGANIZATIONS, organizationsFrom } from './candidate-organization';
import { ForeignOrganization } from './foreign-user';

const organization = (more: Partial<ForeignOrganization>): ForeignOrganization => ({
  sourceId: 'o-1',
  slug: undefined,
  name: undefined,
  ...more,
});
const one = (more: Partial<ForeignOrganization>): CandidateOrganization | undefined =>
  organizationsFrom('keycloak', [organization(more)])[0];

describe('an organization of another system', () => {
  it.each([
    ['acme', 'acme'],
    ['Acme Ltd.', 'acme-ltd'],
    ['Société_1', 'societe-1'],
    ['7 Seas', 'seas'],
    ['a'.repeat(80), 'a'.repeat(50)],
  ])('with the alias %s gets the slug %s', (slug, expected) => {
    expect(one({ slug })?.slugs[0]).toBe(expected);
  });

  it('has a second slug, the same at every import, that differs between organizations of one alias', () => {
    const [first, again, other] = ['o-1', 'o-1', 'o-2'].map((sourceId) => one({ sourceId, slug: 'acme' })?.slugs[1]);
    expect(first).toMatch(/^acme-[a-z0-9]{6}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it.each(['', '东方', '42', '-'])('with the alias "%s" takes its slug from the name, else from its id', (slug) => {
    expect(one({ slug, name: 'Acme Ltd' })?.slugs[0]).toBe('acme-ltd');
    expect(one({ slug })?.slugs[0]).toBe('organization');
  });

  it('keeps a valid name, and has the slug as its name otherwise', () => {
    expect(one({ slug: 'acme', name: '东方 Ltd' })?.name).toBe('东方 Ltd');
    expect(one({ slug: 'acme', name: 'a/b' })?.name).toBe('acme');
    expect(one({ slug: 'acme', name: 'x'.repeat(101) })?.name).toBe('acme');
  });

  it('claims each valid domain once, and none of a public mail host', () => {
    const domains = ['Acme.example', 'acme.EXAMPLE', 'gmail.com', 'no domain', '\u0000'];
    expect(one({ domains })?.domains).toEqual(['acme.example']);
  });

  it('appears once, and those without an id that can be stored together as one without a slug', () => {
    const ids = ['a', 'a', undefined, '', '\u0000', '\ud800', 'x'.repeat(256)];
    const found = organizationsFrom(
      'auth0',
      ids.map((sourceId) => organization({ sourceId, slug: 'acme' })),
    );
    expect(found.map(({ sourceId, slugs }) => [sourceId, slugs.length])).toEqual([
      ['a', 2],
      ['', 0],
    ]);
  });

  it('is left out beyond the limit of a user', () => {
    const many = Array.from({ length: MAX_ORGANIZATIONS + 5 }, (_, index) => organization({ sourceId: `o-${index}` }));
    const found = organizationsFrom('auth0', many);
    expect(found).toHaveLength(MAX_ORGANIZATIONS + 1);
    expect(found.at(-1)?.slugs).toEqual([]);
  });
});
