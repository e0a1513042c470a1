import { ClaimMapping, discloseMore } from './client-claims';

const claim = (from: ClaimMapping['from'], more: Partial<ClaimMapping> = {}): ClaimMapping => ({
  name: 'claim',
  from,
  in: ['id_token'],
  ...more,
});

describe('discloseMore', () => {
  it.each<[string, ClaimMapping[], ClaimMapping[], boolean]>([
    ['no claim', [], [], false],
    ['a constant', [], [claim('constant', { value: 'x' })], false],
    ['the same source', [claim('roles')], [claim('roles', { name: 'other' })], false],
    ['another source', [claim('roles')], [claim('groups')], true],
    [
      'another source with the same filter',
      [claim('roles', { filter: 'a' })],
      [claim('groups', { filter: 'a' })],
      true,
    ],
    ['one source more', [claim('roles')], [claim('roles'), claim('groups')], true],
    ['the same attribute', [claim('attribute', { value: 'email' })], [claim('attribute', { value: 'email' })], false],
    ['another attribute', [claim('attribute', { value: 'email' })], [claim('attribute', { value: 'phone' })], true],
    ['a narrower filter', [claim('roles', { filter: 'crm:' })], [claim('roles', { filter: 'crm:a' })], false],
    ['a wider filter', [claim('roles', { filter: 'crm:a' })], [claim('roles', { filter: 'crm:' })], true],
    ['no filter any more', [claim('roles', { filter: 'crm:' })], [claim('roles')], true],
    ['a filter after the whole', [claim('roles', { filter: '*' })], [claim('roles', { filter: 'crm:' })], false],
  ])('compares with the claims before: %s', (_, before, after, more) => {
    expect(discloseMore(before, after)).toBe(more);
  });
});
