import {
  changedSettings,
  isSensitiveChange,
  OrganizationSettings,
  OrganizationSettingsChange,
} from './organization-settings';

describe('changedSettings', () => {
  const before: OrganizationSettings = { login_methods: ['passkey'], name: 'Acme' };

  it.each<[OrganizationSettingsChange, OrganizationSettings]>([
    [{}, before],
    [{ logo: '' }, { ...before, logo: '' }],
    [{ name: null }, { login_methods: ['passkey'] }],
    [{ login_methods: null, name: 'Other' }, { name: 'Other' }],
  ])('applies %j', (change, after) => {
    expect(changedSettings(before, change)).toEqual(after);
  });

  it('keeps one order, so that equal settings are equal texts', () => {
    const [one, other] = [
      changedSettings({}, { name: 'A', logo: '/l' }),
      changedSettings({}, { logo: '/l', name: 'A' }),
    ];
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });
});

describe('isSensitiveChange', () => {
  it.each<[OrganizationSettings, OrganizationSettings, boolean]>([
    [{}, { primary_color: '#112233' }, false],
    [{ name: 'Acme' }, { name: 'Acme', primary_color: '#112233' }, false],
    [{}, { name: 'Acme' }, true],
    [{ logo: '/l' }, {}, true],
    [{ terms: '/t' }, { terms: '/t' }, false],
    [{ terms: '/t' }, {}, true],
    [{}, { support: '/s' }, true],
    [{}, { login_methods: ['password'] }, true],
    [{ login_methods: ['password'] }, { login_methods: ['passkey'] }, true],
    [{ login_methods: ['password'] }, {}, true],
  ])('from %j to %j is %s', (before, after, expected) => {
    expect(isSensitiveChange(before, after)).toBe(expected);
  });
});
