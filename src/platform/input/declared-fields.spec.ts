import 'reflect-metadata';
import { FieldProblem, ProblemError } from '../errors';
import { checkInput } from './check-input';
import { IdListField, TextField } from './fields';
import { JsonField, ListField } from './structured-fields';

/** What was handed to class-transformer, whose work is the costly one. */
const handed: unknown[] = [];
jest.mock('class-transformer', () => {
  const actual = jest.requireActual<typeof import('class-transformer')>('class-transformer');
  const plainToInstance = (...args: Parameters<typeof actual.plainToInstance>): unknown => {
    handed.push(args[1]);
    return actual.plainToInstance(...args);
  };
  return { ...actual, plainToInstance };
});

class EntryDto {
  @TextField({ description: 'a name', min: 1, max: 5 }) name: string;
}

class BaseDto {
  @TextField({ description: 'a text', max: 5, optional: true }) text?: string;
}

class WholeDto extends BaseDto {
  @ListField(() => EntryDto, { description: 'entries', max: 3 }) entries: EntryDto[];
  @IdListField({ description: 'ids', max: 3, optional: true }) ids?: string[];
  @JsonField({ description: 'anything', optional: true }) json?: unknown;
}

async function problemsOf(input: unknown): Promise<readonly FieldProblem[]> {
  try {
    await checkInput(WholeDto, input);
  } catch (error) {
    if (error instanceof ProblemError) return error.fields;
    throw error;
  }
  return [];
}

const many = (value: unknown): unknown[] => Array.from({ length: 20_000 }, () => value);
const names = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, index]));
const unknown = (count: number, parent = ''): FieldProblem[] =>
  Array.from({ length: count }, (_, index) => ({ field: `${parent}n${index}`, code: 'unknown_field' }));

const entries = [{ name: 'a' }];

describe('what costs more to check than to send', () => {
  beforeEach(() => {
    handed.length = 0;
  });

  it.each<[string, object, FieldProblem[]]>([
    ['a list past its length', { entries: many({}) }, [{ field: 'entries', code: 'max_items', params: { max: 3 } }]],
    ['a list of lists', { entries: [{ name: 'a' }, many([])] }, [{ field: 'entries[1]', code: 'type_object' }]],
    ['a list with a text', { entries: ['x'] }, [{ field: 'entries[0]', code: 'type_object' }]],
    ['an object for a list', { entries: { 0: {} } }, [{ field: 'entries', code: 'type_list' }]],
    ['unknown names in an entry', { entries: [{ name: 'a' }, names(7_000)] }, unknown(100, 'entries[1].')],
  ])('is refused before anything is built of it: %s', async (_, input, problems) => {
    expect(await problemsOf(input)).toEqual(problems);
    expect(handed).toEqual([{}]);
  });

  it.each<[string, object, FieldProblem[]]>([
    ['ids past their number', { ids: many({}) }, [{ field: 'ids', code: 'max_items', params: { max: 3 } }]],
    ['a list for an inherited text', { text: many({}) }, [{ field: 'text', code: 'type_text' }]],
    ['unknown names', names(7_000), unknown(100)],
  ])('is kept from what stands beside it: %s', async (_, input, problems) => {
    expect(await problemsOf({ entries, ...input })).toEqual(problems);
    expect(handed).toEqual([{ entries }]);
  });

  it('does not hide the other fields that break a rule', async () => {
    expect(await problemsOf({ colour: 'blue', ids: {}, text: 'abcdef' })).toEqual([
      { field: 'colour', code: 'unknown_field' },
      { field: 'ids', code: 'type_list' },
      { field: 'entries', code: 'required' },
      { field: 'text', code: 'max_length', params: { max: 5 } },
    ]);
  });

  it('leaves to the full check what it has a right to', async () => {
    const json = { any: [{ thing: 1 }] };
    expect(await problemsOf({ entries, json })).toEqual([]);
    expect(await problemsOf({ entries: [{ name: 'a' }, { name: '' }, {}], json })).toEqual([
      { field: 'entries[1].name', code: 'min_length', params: { min: 1 } },
      { field: 'entries[2].name', code: 'required' },
    ]);
  });
});
