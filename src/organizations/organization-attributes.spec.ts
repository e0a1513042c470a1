import { attributeProblems } from './organization-attributes';

const many = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, '']));

describe('attributes of an organization', () => {
  it.each([
    ['none', {}],
    ['texts', { tier: 'gold', 'crm.id': '4711', empty: '' }],
    ['as many as allowed', many(50)],
    ['as long as allowed', { a: 'é'.repeat(4_095), b: '' }],
  ])('may be %s', (_, value) => {
    expect(attributeProblems('attributes', value)).toEqual([]);
  });

  it.each([
    ['a list', [], 'attributes', 'type_object'],
    ['a text', 'tier', 'attributes', 'type_object'],
    ['too many', many(51), 'attributes', 'max_items'],
    ['a number', { tier: 1 }, 'attributes.tier', 'type_text'],
    ['an object', { tier: {} }, 'attributes.tier', 'type_text'],
    ['a text that cannot be stored', { tier: '\u0000' }, 'attributes.tier', 'well_formed'],
    ['a name with a space', { 'my tier': '' }, 'attributes', 'attribute_name'],
    ['a name of the prototype', JSON.parse('{"__proto__":"x"}'), 'attributes', 'attribute_name'],
    ['a name that is too long', { ['a'.repeat(51)]: '' }, 'attributes', 'attribute_name'],
    ['too long', { a: 'é'.repeat(4_096) }, 'attributes', 'attribute_bytes'],
  ])('may not be %s', (_, value, field, code) => {
    expect(attributeProblems('attributes', value)).toEqual([expect.objectContaining({ field, code })]);
  });
});
