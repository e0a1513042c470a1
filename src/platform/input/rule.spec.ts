import { IdPipe } from './id.pipe';
import { booleanRule, choiceRule, idRule, integerRule, listRule, Rule, textRule } from './rule';

const ID = '0198b2f4-7f7e-7aaa-8bbb-0123456789ab';
const name = textRule({ min: 2, max: 3, check: (value) => (value === 'no' ? 'refused' : undefined) });

describe('rules', () => {
  it.each<[string, Rule, unknown, string | undefined]>([
    ['text', name, 'ab', undefined],
    ['text', name, '😀😀😀', undefined],
    ['text', name, 'a', 'min_length'],
    ['text', name, '😀', 'min_length'],
    ['text', name, 'abcd', 'max_length'],
    ['text', name, '😀😀😀😀', 'max_length'],
    ['text', name, '\uFE0F'.repeat(100_000), 'max_length'],
    ['text', name, 'no', 'refused'],
    ['text', name, 'a\0', 'well_formed'],
    ['text', name, '\ud800x', 'well_formed'],
    ['text', name, 1, 'type_text'],
    ['text', name, ['ab'], 'type_text'],
    ['text', name, { length: 2 }, 'type_text'],
    ['text', name, null, 'type_text'],
    ['id', idRule, ID, undefined],
    ['id', idRule, ID.toUpperCase(), 'id'],
    ['id', idRule, `{${ID}}`, 'id'],
    ['id', idRule, `${ID}\n`, 'id'],
    ['id', idRule, ` ${ID}`, 'id'],
    ['id', idRule, 1, 'id'],
    ['id', idRule, [ID], 'id'],
    ['boolean', booleanRule, false, undefined],
    ['boolean', booleanRule, 'false', 'type_boolean'],
    ['boolean', booleanRule, 0, 'type_boolean'],
    ['integer', integerRule({ min: 0, max: 5 }), 0, undefined],
    ['integer', integerRule({ min: 0, max: 5 }), 5, undefined],
    ['integer', integerRule({ min: 0, max: 5 }), -1, 'min'],
    ['integer', integerRule({ min: 0, max: 5 }), 6, 'max'],
    ['integer', integerRule({ min: 0, max: 5 }), 1.5, 'type_integer'],
    ['integer', integerRule({ min: 0, max: 5 }), '1', 'type_integer'],
    ['integer', integerRule({ min: 0, max: 5 }), Number.POSITIVE_INFINITY, 'type_integer'],
    ['choice', choiceRule(['a', 'b']), 'b', undefined],
    ['choice', choiceRule(['a', 'b']), 'c', 'one_of'],
    ['choice', choiceRule(['a', 'b']), ['a'], 'one_of'],
    ['choice', choiceRule(['a', 'b']), 'toString', 'one_of'],
    ['list', listRule({ min: 1, max: 2 }, idRule), [ID], undefined],
    ['list', listRule({ min: 1, max: 2 }, idRule), [], 'min_items'],
    ['list', listRule({ min: 1, max: 2 }, idRule), [ID, ID, ID], 'max_items'],
    ['list', listRule({ min: 1, max: 2 }, idRule), [ID, 'x'], 'id'],
    ['list', listRule({ min: 1, max: 2 }, idRule), { 0: ID, length: 1 }, 'type_list'],
  ])('%s: %#', (_, rule, value, code) => {
    expect(rule(value)?.code).toBe(code);
  });
});

describe('IdPipe', () => {
  it('lets ids through and does not find what cannot be one', () => {
    expect(new IdPipe().transform(ID)).toBe(ID);
    for (const value of ['', 'x', ID.toUpperCase(), '../x']) {
      expect(() => new IdPipe().transform(value)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
    }
  });
});
