import {
  claimFilterProblem,
  claimNameProblem,
  ClaimMapping,
  discloseMore,
  problemsOfClaims,
  reachServices,
} from './client-claims';

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

describe('claimNameProblem', () => {
  it.each([
    ['JWT, RFC 7519 §4.1', 'iss sub aud exp nbf iat jti'],
    ['introspection, RFC 7662 §2.2', 'active username token_type scope client_id'],
    ['token exchange, RFC 8693 §4', 'act may_act'],
    ['DPoP and rich requests, RFC 9449 §6 and RFC 9396 §9', 'cnf authorization_details'],
    ['OpenID Connect Core §2', 'nonce auth_time acr amr azp at_hash c_hash s_hash sub_jwk'],
    ['OpenID Connect Core §5.6.2', '_claim_names _claim_sources'],
    ['logout', 'sid events'],
    ['OpenID Connect Core §5.1, names', 'name given_name family_name middle_name nickname preferred_username'],
    ['OpenID Connect Core §5.1, profile', 'profile picture website gender birthdate zoneinfo locale updated_at'],
    ['OpenID Connect Core §5.1, contacts', 'email email_verified phone_number phone_number_verified address'],
    ['this service', 'typ grant uid type ver organization_id organization_slug organization_roles login_method'],
  ])('reserves the claims of %s', (_, names) => {
    const problems = names.split(' ').map((name) => [name, claimNameProblem(name)]);
    expect(problems).toEqual(names.split(' ').map((name) => [name, 'reserved_claim']));
  });

  it.each(['groups', 'roles', 'https://example.com/roles', 'urn:example:level', 'a', '!', '~', 'x#y'])(
    'allows %s',
    (name) => {
      expect(claimNameProblem(name)).toBeUndefined();
    },
  );

  it.each(['', 'a b', 'a"b', "a'b", 'a\\b', 'rôle', 'a\n', 'toString', '__proto__', 'constructor'])(
    'rejects %j',
    (name) => {
      expect(claimNameProblem(name)).toBe('claim_name');
    },
  );
});

describe('claimFilterProblem', () => {
  it.each<[string, string | undefined]>([
    ['*', undefined],
    ['crm:', undefined],
    ['crm:*', 'claim_filter'],
    ['**', 'claim_filter'],
  ])('judges %s', (filter, problem) => {
    expect(claimFilterProblem(filter)).toBe(problem);
  });
});

describe('problemsOfClaims', () => {
  const found = (...claims: ClaimMapping[]): string[] =>
    problemsOfClaims(claims).map(({ field, code }) => `${field} ${code}`);

  it.each<[string, ClaimMapping, string[]]>([
    ['a list with a value', claim('roles', { value: 'x' }), ['value claim_without_value']],
    ['a list of groups with a value', claim('groups', { value: 'x' }), ['value claim_without_value']],
    ['a list of permissions with a value', claim('permissions', { value: 'x' }), ['value claim_without_value']],
    ['a filtered list', claim('groups', { filter: 'x' }), []],
    ['a constant without a value', claim('constant'), ['value required']],
    ['a constant', claim('constant', { value: 'x' }), []],
    ['a filtered constant', claim('constant', { value: 'x', filter: 'x' }), ['filter claim_without_filter']],
    [
      'a filtered attribute without a name',
      claim('attribute', { filter: 'x' }),
      ['filter claim_without_filter', 'value required'],
    ],
  ])('judges %s', (_, mapping, problems) => {
    expect(found(mapping)).toEqual(problems.map((problem) => `claims[0].${problem}`));
  });

  it.each(['username', 'nickname', 'email', 'phone', 'locale'])('knows the attribute %s', (value) => {
    expect(found(claim('attribute', { value }))).toEqual([]);
  });

  it('rejects a name twice in one place, but not in two', () => {
    const there = claim('roles', { in: ['userinfo'] });
    expect(found(claim('roles'), there)).toEqual([]);
    expect(found(claim('roles'), there, claim('groups', { in: ['access_token', 'userinfo'] }))).toEqual([
      'claims[2].name claim_twice',
    ]);
  });
});

describe('reachServices', () => {
  it('is true for claims in access tokens', () => {
    expect(reachServices([])).toBe(false);
    expect(reachServices([claim('roles', { in: ['id_token', 'userinfo'] })])).toBe(false);
    expect(reachServices([claim('roles'), claim('groups', { in: ['id_token', 'access_token'] })])).toBe(true);
  });
});
