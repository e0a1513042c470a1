import { NO_PRESET, ProviderField } from './preset';
import { validateMapping, validateParameters } from './provider-input';

const codesOf = ({ problems }: { readonly problems: readonly { field: string; code: string }[] }): string[] =>
  problems.map(({ field, code }) => `${field} ${code}`);

describe('validateMapping', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{}, []],
    [{ subject: 'sub', email: 'data.email', email_verified: 'a|b.c', phone: null, nickname: null, avatar: null }, []],
    [{ subject: null }, ['mapping.subject claim_path']],
    [{ subject: '' }, ['mapping.subject claim_path']],
    [{ email: 5 }, ['mapping.email claim_path']],
    [{ email: 'a..b' }, ['mapping.email claim_path']],
    [{ email: 'a.b.c.d.e.f' }, []],
    [{ email: 'a.b.c.d.e.f.g' }, ['mapping.email claim_path']],
    [{ email: 'a|b|c|d|e' }, []],
    [{ email: 'a|b|c|d|e|f' }, ['mapping.email claim_path']],
    [{ email: 'x'.repeat(64) }, []],
    [{ email: 'x'.repeat(65) }, ['mapping.email claim_path']],
    [{ admin: null, toString: null }, ['mapping.admin unknown_field', 'mapping.toString unknown_field']],
  ])('judges %j', (given, problems) => {
    const found = validateMapping(given);
    expect([codesOf(found), found.value]).toEqual([problems, given]);
  });
});

describe('validateParameters', () => {
  const field = (name: string, more: Partial<ProviderField> = {}): ProviderField => ({
    name,
    required: false,
    pattern: /^[\s\S]*$/,
    ...more,
  });
  const preset = { ...NO_PRESET, fields: [field('tenant', { required: true, pattern: /^\w+$/ }), field('note')] };

  it.each<[Record<string, unknown>, string[], Record<string, string>]>([
    [{ tenant: 'acme' }, [], { tenant: 'acme' }],
    [{ tenant: 'acme', note: '' }, [], { tenant: 'acme' }],
    [{}, ['params.tenant required'], {}],
    [{ tenant: '' }, ['params.tenant required'], {}],
    [{ tenant: null }, ['params.tenant required'], {}],
    [{ tenant: 5 }, ['params.tenant type_text'], {}],
    [{ tenant: 'a b' }, ['params.tenant provider_parameter'], { tenant: 'a b' }],
    [{ tenant: 'acme', other: 'x' }, ['params.other unknown_field'], { tenant: 'acme' }],
    [{ tenant: 'acme', note: 'a\u0000b' }, ['params.note provider_parameter'], { tenant: 'acme', note: 'a\u0000b' }],
  ])('judges %j', (given, problems, value) => {
    const found = validateParameters(given, preset);
    expect([codesOf(found), found.value]).toEqual([problems, value]);
  });

  it('takes values of at most 4,000 characters', () => {
    const judge = (length: number): string[] =>
      codesOf(validateParameters({ tenant: 'acme', note: 'x'.repeat(length) }, preset));
    expect(judge(4_000)).toEqual([]);
    expect(judge(4_001)).toEqual(['params.note provider_parameter']);
  });
});
