import 'reflect-metadata';
import { ProblemError } from '../../errors';
import { checkInput } from './check-input';
import { BooleanField, ChoiceField, IdField, IntegerField, TextField } from './fields';
import { IdPipe } from './id.pipe';
import { IdListField } from './structured-fields';

const ID = '0198b2f4-7f7e-7aaa-8bbb-0123456789ab';
const description = 'a value';
const isNo = (value: string): string | undefined => (value === 'no' ? 'refused' : undefined);

class ValuesDto {
  @TextField({ description, min: 2, max: 3, check: isNo, optional: true }) text: unknown;
  @IdField({ description, optional: true }) id: unknown;
  @BooleanField({ description, optional: true }) boolean: unknown;
  @IntegerField({ description, min: 0, max: 5, optional: true }) integer: unknown;
  @ChoiceField({ description, options: ['a', 'b'], optional: true }) choice: unknown;
  @IdListField({ description, min: 1, max: 2, optional: true }) list: unknown;
}

function codeOf(input: object): string | undefined {
  try {
    checkInput(ValuesDto, input);
  } catch (error) {
    if (error instanceof ProblemError) return error.fields[0]?.code;
    throw error;
  }
  return undefined;
}

describe('fields', () => {
  it.each<[string, unknown, string | undefined]>([
    ['text', 'ab', undefined],
    ['text', '😀😀😀', undefined],
    ['text', 'a', 'min_length'],
    ['text', '😀', 'min_length'],
    ['text', 'abcd', 'max_length'],
    ['text', '😀😀😀😀', 'max_length'],
    ['text', '\uFE0F'.repeat(100_000), 'max_length'],
    ['text', 'no', 'refused'],
    ['text', 'a\0', 'well_formed'],
    ['text', '\ud800x', 'well_formed'],
    ['text', 1, 'type_text'],
    ['text', ['ab'], 'type_text'],
    ['text', { length: 2 }, 'type_text'],
    ['text', null, 'type_text'],
    ['id', ID, undefined],
    ['id', ID.toUpperCase(), 'id'],
    ['id', `{${ID}}`, 'id'],
    ['id', `${ID}\n`, 'id'],
    ['id', ` ${ID}`, 'id'],
    ['id', 1, 'id'],
    ['id', [ID], 'id'],
    ['boolean', false, undefined],
    ['boolean', 'false', 'type_boolean'],
    ['boolean', 0, 'type_boolean'],
    ['integer', 0, undefined],
    ['integer', 5, undefined],
    ['integer', -1, 'min'],
    ['integer', 6, 'max'],
    ['integer', 1.5, 'type_integer'],
    ['integer', '1', 'type_integer'],
    ['integer', Number.POSITIVE_INFINITY, 'type_integer'],
    ['choice', 'b', undefined],
    ['choice', 'c', 'one_of'],
    ['choice', ['a'], 'one_of'],
    ['choice', 'toString', 'one_of'],
    ['list', [ID], undefined],
    ['list', [], 'min_items'],
    ['list', [ID, ID, ID], 'max_items'],
    ['list', [ID, 'x'], 'id'],
    ['list', { 0: ID, length: 1 }, 'type_list'],
  ])('validates %s: %#', (field, value, code) => {
    expect(codeOf({ [field]: value })).toBe(code);
  });
});

describe('IdPipe', () => {
  it('accepts ids and reports malformed ones as not found', () => {
    expect(new IdPipe().transform(ID)).toBe(ID);
    for (const value of ['', 'x', ID.toUpperCase(), '../x']) {
      expect(() => new IdPipe().transform(value)).toThrow(expect.objectContaining({ code: 'not_found' }) as Error);
    }
  });
});
