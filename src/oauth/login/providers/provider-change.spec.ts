import type { ChangeLoginProviderDto, CreateLoginProviderDto } from './dto/login-provider-input.dto';
import type { NewLoginProvider } from './login-provider.repository';
import { NO_PRESET } from './preset';
import { applyChange, emptyProvider } from './provider-change';

const named = (more: Partial<CreateLoginProviderDto> = {}): CreateLoginProviderDto =>
  ({ name: 'acme', template: 'oidc', ...more }) as CreateLoginProviderDto;

describe('emptyProvider', () => {
  it.each([
    ['its own', 'Ours', 'Vendor', 'Ours'],
    ['that of the template', undefined, 'Vendor', 'Vendor'],
    ['the name', undefined, '', 'acme'],
  ])('has as its label %s', (_, label, ofPreset, expected) => {
    const body = named(label === undefined ? {} : { label });
    expect(emptyProvider('1', body, { ...NO_PRESET, label: ofPreset }).label).toBe(expected);
  });

  it('is enabled, without trust in addresses and automatic registration, and belongs to the service', () => {
    expect(emptyProvider('1', named(), NO_PRESET)).toMatchObject({
      id: '1',
      enabled: true,
      trustEmail: false,
      autoRegister: false,
      organizationId: null,
      clientSecret: null,
      sort: 0,
    });
    expect(emptyProvider('1', named({ organization_id: 'org' }), NO_PRESET).organizationId).toBe('org');
  });
});

describe('applyChange', () => {
  const whole: NewLoginProvider = {
    ...emptyProvider('1', named(), NO_PRESET),
    clientId: 'client',
    clientSecret: 'sealed',
    authorizeUrl: 'https://idp.example/authorize',
    tokenUrl: 'https://idp.example/token',
    userinfoUrl: 'https://idp.example/me',
    issuer: 'https://idp.example',
    scopes: ['openid'],
    mapping: { email: 'mail' },
    pkce: true,
    icon: '/icon.svg',
    organizationId: 'org',
  };
  const changed = (body: ChangeLoginProviderDto, preset = NO_PRESET): ReturnType<typeof applyChange> =>
    applyChange(whole, body, preset);

  it('keeps what the change leaves out', () => {
    expect(changed({})).toEqual({ row: whole, problems: [] });
  });

  it.each<[ChangeLoginProviderDto, Partial<NewLoginProvider>]>([
    [
      { name: 'other', label: 'Other', client_id: 'new', sort: 5 },
      { name: 'other', label: 'Other', clientId: 'new', sort: 5 },
    ],
    [{ icon: '' }, { icon: null }],
    [{ icon: null }, { icon: null }],
    [
      { authorize_url: '', token_url: null },
      { authorizeUrl: null, tokenUrl: null },
    ],
    [
      { userinfo_url: '', issuer: null },
      { userinfoUrl: null, issuer: null },
    ],
    [{ userinfo_url: null }, { userinfoUrl: null, withoutUserinfo: true }],
    [{ issuer: 'https://other.example' }, { issuer: 'https://other.example' }],
    [
      { scopes: null, pkce: null },
      { scopes: null, pkce: null },
    ],
    [{ mapping: null }, { mapping: {} }],
    [{ mapping: { phone: 'tel' } }, { mapping: { phone: 'tel' } }],
    [
      { auto_register: true, enabled: false },
      { autoRegister: true, enabled: false },
    ],
  ])('applies %j', (body, expected) => {
    expect(changed(body)).toEqual({ row: { ...whole, ...expected }, problems: [] });
  });

  it('takes null for the userinfo address of the template, if it has one', () => {
    const preset = { ...NO_PRESET, endpoints: { ...NO_PRESET.endpoints, userinfoUrl: 'https://idp.example/u' } };
    const row = { ...whole, userinfoUrl: null, withoutUserinfo: false };
    expect(changed({ userinfo_url: null }, preset).row).toEqual(row);
  });

  it.each(['', 'https://idp.example/u'])('asks userinfo again after %j', (userinfo_url) => {
    const current = { ...whole, userinfoUrl: null, withoutUserinfo: true };
    const { row } = applyChange(current, { userinfo_url }, NO_PRESET);
    expect(row).toMatchObject({ userinfoUrl: userinfo_url || null, withoutUserinfo: false });
  });

  it('rejects trust in addresses that the provider never verifies', () => {
    const trusting = { trust_email: true };
    expect(changed(trusting).problems).toEqual([{ field: 'trust_email', code: 'email_never_verified' }]);
    const vouching = changed(trusting, { ...NO_PRESET, emailTrust: 'boolean' });
    expect(vouching).toEqual({ row: { ...whole, trustEmail: true }, problems: [] });
  });

  it('reports every problem', () => {
    const body = { mapping: { admin: 'x' }, params: { tenant: 'x' }, trust_email: true } as ChangeLoginProviderDto;
    expect(changed(body).problems.map(({ field }) => field)).toEqual(['mapping.admin', 'params.tenant', 'trust_email']);
  });
});
