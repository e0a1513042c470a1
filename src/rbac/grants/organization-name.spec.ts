import { isSlug } from './organization-name';

describe('isSlug', () => {
  it.each(['ab', 'acme', 'acme-2', 'a1-b2-c3', 'a'.repeat(50)])('accepts %s', (text) => {
    expect(isSlug(text)).toBe(true);
  });

  it.each(['', 'a', 'Acme', '1acme', 'acme-', '-acme', 'ac--me', 'ac me', 'acmé', 'a_b', 'a'.repeat(51)])(
    'rejects "%s"',
    (text) => {
      expect(isSlug(text)).toBe(false);
    },
  );
});
