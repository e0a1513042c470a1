import { boolean, choice, integer, multilineText, text, textList } from './kinds';
import { defineSetting, declaredSettings, findSetting, SettingKind } from './setting';

const level = integer({ minimum: 1, maximum: 7 });
const name = text(3, (value) => (value === 'no' ? 'refused' : undefined));
const key = multilineText(3);
const names = textList(2, (value) => (value === 'no' ? 'refused' : undefined));
const color = choice(['red', 'blue']);

describe('kinds of settings', () => {
  it.each<[string, SettingKind<unknown>, unknown, unknown]>([
    ['boolean', boolean, true, { value: true }],
    ['boolean', boolean, 'true', { violation: 'type' }],
    ['boolean', boolean, null, { violation: 'type' }],
    ['integer', level, 1, { value: 1 }],
    ['integer', level, 7, { value: 7 }],
    ['integer', level, 0, { violation: 'min' }],
    ['integer', level, 8, { violation: 'max' }],
    ['integer', level, 1.5, { violation: 'type' }],
    ['integer', level, '3', { violation: 'type' }],
    ['integer', level, Number.NaN, { violation: 'type' }],
    ['integer', level, 2 ** 53, { violation: 'type' }],
    ['text', name, '', { value: '' }],
    ['text', name, 'abc', { value: 'abc' }],
    ['text', name, 'abcd', { violation: 'max_length' }],
    ['text', name, 'no', { violation: 'refused' }],
    ['text', name, 'a\0', { violation: 'well_formed' }],
    ['text', name, '😀😀😀', { value: '😀😀😀' }],
    ['text', name, '😀😀😀😀', { violation: 'max_length' }],
    ['text', name, '\uFE0F'.repeat(100_000), { violation: 'max_length' }],
    ['text', name, 'a\r\n', { violation: 'no_control_characters' }],
    ['text', name, '\u202ea', { violation: 'no_control_characters' }],
    ['text', name, ['a'], { violation: 'type' }],
    ['text of several lines', key, 'a\nb', { value: 'a\nb' }],
    ['text of several lines', key, 'a\0', { violation: 'well_formed' }],
    ['text of several lines', key, '😀😀😀😀', { violation: 'max_length' }],
    ['text list', names, [], { value: [] }],
    ['text list', names, ['a', 'b'], { value: ['a', 'b'] }],
    ['text list', names, ['a', 'b', 'c'], { violation: 'max_items' }],
    ['text list', names, ['a', 'a'], { violation: 'unique' }],
    ['text list', names, ['a', 'no'], { violation: 'refused' }],
    ['text list', names, ['a', 1], { violation: 'type' }],
    ['text list', names, ['a', 'b\u2028'], { violation: 'no_control_characters' }],
    ['text list', names, ['\ud800'], { violation: 'well_formed' }],
    ['text list', names, 'a', { violation: 'type' }],
    ['choice', color, 'red', { value: 'red' }],
    ['choice', color, 'Red', { violation: 'one_of' }],
    ['choice', color, 0, { violation: 'one_of' }],
  ])('parses %s: %#', (_, kind, input, result) => {
    expect(kind.parse(input)).toEqual(result);
  });
});

describe('defineSetting', () => {
  const setting = defineSetting({ key: 'paper.size', defaultValue: 4, kind: level, sensitive: false });

  it('derives the category from the key and registers the setting', () => {
    expect(setting).toMatchObject({ key: 'paper.size', category: 'paper', defaultValue: 4 });
    expect(findSetting('paper.size')).toBe(setting);
    expect(declaredSettings()).toContain(setting);
    expect(findSetting('paper.weight')).toBeUndefined();
  });

  it('rejects a second declaration of a key', () => {
    expect(() => defineSetting({ key: 'paper.size', defaultValue: 5, kind: level, sensitive: false })).toThrow(
      'Setting paper.size is declared twice',
    );
  });
});
