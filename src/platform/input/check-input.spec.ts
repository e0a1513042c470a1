import 'reflect-metadata';
import { FieldProblem, ProblemError } from '../errors';
import { field, IdListField, IntegerField, TextField } from './fields';
import { listRule, textRule } from './rule';
import { ListField } from './structured-fields';
import { checkInput } from './check-input';
import * as sorting from './declared-fields';

jest.mock('./declared-fields', () => ({
  __esModule: true,
  ...jest.requireActual<typeof sorting>('./declared-fields'),
}));

class EntryDto {
  @TextField({ description: 'a name', min: 1, max: 5 }) name: string;
}

class ExampleDto {
  @TextField({ description: 'a name', min: 3, max: 5, check: (value) => (value === 'wrong' ? 'username' : undefined) })
  name: string;
  @IntegerField({ description: 'a level', min: 1, max: 7, optional: true }) level?: number;
  @IdListField({ description: 'users', max: 2, optional: true }) user_ids?: string[];
  @field(listRule({ max: 5_000 }, textRule({ max: 5 })), { description: 'words', optional: true }, { type: [String] })
  words?: string[];
  @ListField(() => EntryDto, { description: 'entries', max: 2, optional: true }) entries?: EntryDto[];
}

async function problemsOf(input: unknown): Promise<readonly FieldProblem[]> {
  try {
    await checkInput(ExampleDto, input);
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
  ])('names the field and the rule: $input -> $field $code', async ({ input, field, code }) => {
    expect(await problemsOf(input)).toEqual([expect.objectContaining({ field, code })]);
  });

  it('names every entry of a list that breaks a rule, by its place, within the bounds of an answer', async () => {
    expect(await problemsOf({ name: 'ann', words: ['yes', 7, 'no', 'much too long'] })).toEqual([
      { field: 'words[1]', code: 'type_text' },
      { field: 'words[3]', code: 'max_length', params: { max: 5 } },
    ]);
    const problems = await problemsOf({ name: 'ann', words: Array.from({ length: 5_000 }, () => 7) });
    expect(problems).toHaveLength(100);
    expect(problems.at(-1)).toEqual({ field: 'words[99]', code: 'type_text' });
  });

  it('names every field that breaks a rule, with the limit', async () => {
    expect(await problemsOf({ name: 'ab', level: 0 })).toEqual([
      { field: 'name', code: 'min_length', params: { min: 3 } },
      { field: 'level', code: 'min', params: { min: 1 } },
    ]);
  });

  it.each([
    { input: { name: 'ann', colour: 'blue' }, field: 'colour' },
    { input: { name: 'ann', entries: [{ name: 'a', colour: 'blue' }] }, field: 'entries[0].colour' },
  ])('refuses an unknown name once more, should it be let through before: $field', async ({ input, field }) => {
    const letThrough = jest.spyOn(sorting, 'sortInput').mockReturnValue({ fitting: input, misfits: [] });
    try {
      expect(await problemsOf(input)).toEqual([{ field, code: 'unknown_field' }]);
    } finally {
      letThrough.mockRestore();
    }
  });

  it('gives an instance of what holds', async () => {
    expect(await checkInput(ExampleDto, { name: 'ann' })).toBeInstanceOf(ExampleDto);
  });
});
