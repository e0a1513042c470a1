import 'reflect-metadata';
import { FieldProblem, ProblemError } from '../../errors';
import { IntegerField, QueryIntegerField, TextField } from './fields';
import { IdListField, ListField, QueryBooleanField, TextListField } from './structured-fields';
import { checkInput } from './check-input';

class EntryDto {
  @TextField({ description: 'a name', min: 1, max: 5 }) name: string;
}

class ExampleDto {
  @TextField({ description: 'a name', min: 3, max: 5, check: (value) => (value === 'wrong' ? 'username' : undefined) })
  name: string;
  @IntegerField({ description: 'a level', min: 1, max: 7, optional: true }) level?: number;
  @IdListField({ description: 'users', max: 2, optional: true }) user_ids?: string[];
  @TextListField({ description: 'words', max: 5_000, entry: { max: 5 }, optional: true })
  words?: string[];
  @ListField(() => EntryDto, { description: 'entries', max: 2, optional: true }) entries?: EntryDto[];
}

function problemsOf(input: unknown): readonly FieldProblem[] {
  try {
    checkInput(ExampleDto, input);
  } catch (error) {
    if (error instanceof ProblemError) return error.fields;
    throw error;
  }
  return [];
}

describe('checkInput', () => {
  it.each([
    { input: {}, field: 'name', code: 'required' },
    { input: { name: 5 }, field: 'name', code: 'type_text' },
    { input: { name: 'ab' }, field: 'name', code: 'min_length' },
    { input: { name: 'abcdef' }, field: 'name', code: 'max_length' },
    { input: { name: 'wrong' }, field: 'name', code: 'username' },
    { input: { name: 'ann', level: 8 }, field: 'level', code: 'max' },
    { input: { name: 'ann', user_ids: ['rubbish'] }, field: 'user_ids[0]', code: 'id' },
    { input: { name: 'ann', colour: 'blue' }, field: 'colour', code: 'unknown_field' },
  ])('reports field and rule of $input: $field $code', ({ input, field, code }) => {
    expect(problemsOf(input)).toEqual([expect.objectContaining({ field, code })]);
  });

  it('reports every invalid list entry by its index, up to a maximum', () => {
    expect(problemsOf({ name: 'ann', words: ['yes', 7, 'no', 'much too long'] })).toEqual([
      { field: 'words[1]', code: 'type_text' },
      { field: 'words[3]', code: 'max_length', params: { max: 5 } },
    ]);
    const problems = problemsOf({ name: 'ann', words: Array.from({ length: 5_000 }, () => 7) });
    expect(problems).toHaveLength(100);
    expect(problems.at(-1)).toEqual({ field: 'words[99]', code: 'type_text' });
  });

  it('reports every invalid field with its limit', () => {
    expect(problemsOf({ name: 'ab', level: 0 })).toEqual([
      { field: 'name', code: 'min_length', params: { min: 3 } },
      { field: 'level', code: 'min', params: { min: 1 } },
    ]);
  });

  it('reports an unknown field in a list entry', () => {
    expect(problemsOf({ name: 'ann', entries: [{ name: 'a', colour: 'blue' }] })).toEqual([
      { field: 'entries[0].colour', code: 'unknown_field' },
    ]);
  });

  it('returns instances of the class and its entries without missing fields', () => {
    const given = checkInput(ExampleDto, { name: 'ann', entries: [{ name: 'a' }] });
    expect(given).toBeInstanceOf(ExampleDto);
    expect(given.entries![0]).toBeInstanceOf(EntryDto);
    expect(Object.keys(given)).toEqual(['name', 'entries']);
  });

  it('keeps and validates default values', () => {
    class PaintDto {
      @TextField({ description: 'a colour', max: 5 }) colour = 'blue';
    }
    class LongPaintDto {
      @TextField({ description: 'a colour', max: 5 }) colour = 'turquoise';
    }
    expect(checkInput(PaintDto, {})).toEqual({ colour: 'blue' });
    expect(checkInput(PaintDto, { colour: 'red' })).toEqual({ colour: 'red' });
    expect(() => checkInput(LongPaintDto, {})).toThrow(ProblemError);
  });

  it('accepts null only for nullable fields', () => {
    class NoteDto {
      @TextField({ description: 'a text', max: 5, optional: true, nullable: true }) text?: string | null;
      @IntegerField({ description: 'a level', min: 1, max: 7, optional: true }) level?: number;
    }
    expect(checkInput(NoteDto, { text: null })).toEqual({ text: null });
    expect(() => checkInput(NoteDto, { level: null })).toThrow(ProblemError);
  });

  it('converts numbers and booleans of a query', () => {
    class QueryDto {
      @QueryIntegerField({ description: 'a page', min: 0, max: 7, optional: true }) page?: number;
      @QueryBooleanField({ description: 'whether', optional: true }) only?: boolean;
    }
    expect(checkInput(QueryDto, { page: '0', only: 'false' })).toEqual({ page: 0, only: false });
    expect(checkInput(QueryDto, {})).toEqual({});
    expect(() => checkInput(QueryDto, { only: 'no' })).toThrow(ProblemError);
  });

  it('rejects a second rule for a field', () => {
    const once = TextField({ description: 'a text', max: 5 });
    const twice = (): void => {
      once(EntryDto.prototype, 'name');
    };
    expect(twice).toThrow('EntryDto.name is declared twice');
  });

  it('applies the rule of the subclass to an overridden field', () => {
    class LongDto extends EntryDto {
      @TextField({ description: 'a longer name', max: 9 }) override name: string;
    }
    expect(checkInput(LongDto, { name: 'annabella' })).toEqual({ name: 'annabella' });
    expect(() => checkInput(EntryDto, { name: 'annabella' })).toThrow(ProblemError);
  });
});
