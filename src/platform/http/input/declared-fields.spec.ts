import 'reflect-metadata';
import { FieldProblem, ProblemError } from '../../errors';
import { checkInput } from './check-input';
import { TextField } from './fields';
import { IdListField, JsonField, ListField } from './structured-fields';

/** Number of entries created, which are the expensive part. */
let made = 0;

class EntryDto {
  @TextField({ description: 'a name', min: 1, max: 5 }) name: string;

  constructor() {
    made++;
  }
}

class BaseDto {
  @TextField({ description: 'a text', max: 5, optional: true }) text?: string;
}

class WholeDto extends BaseDto {
  @ListField(() => EntryDto, { description: 'entries', max: 3 }) entries: EntryDto[];
  @IdListField({ description: 'ids', max: 3, optional: true }) ids?: string[];
  @JsonField({ description: 'anything', optional: true }) json?: unknown;
}

function problemsOf(input: unknown): readonly FieldProblem[] {
  try {
    checkInput(WholeDto, input);
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

describe('checkInput with expensive input', () => {
  beforeEach(() => {
    made = 0;
  });

  it.each<[string, object, FieldProblem[], number]>([
    ['a list past its length', { entries: many({}) }, [{ field: 'entries', code: 'max_items', params: { max: 3 } }], 0],
    ['a list of lists', { entries: [{ name: 'a' }, many([])] }, [{ field: 'entries[1]', code: 'type_object' }], 0],
    ['a list with a text', { entries: ['x'] }, [{ field: 'entries[0]', code: 'type_object' }], 0],
    ['an object for a list', { entries: { 0: {} } }, [{ field: 'entries', code: 'type_list' }], 0],
    ['unknown names in an entry', { entries: [{ name: 'a' }, names(7_000)] }, unknown(100, 'entries[1].'), 2],
    ['ids past their number', { ids: many({}) }, [{ field: 'ids', code: 'max_items', params: { max: 3 } }], 1],
    ['a list for an inherited text', { text: many({}) }, [{ field: 'text', code: 'type_text' }], 1],
    ['unknown names', names(7_000), unknown(100), 0],
  ])('creates no more instances than the list allows: %s', (_, input, problems, instances) => {
    expect(problemsOf({ entries, ...input })).toEqual(problems);
    expect(made).toBe(instances);
  });

  it('reports the other invalid fields as well', () => {
    expect(problemsOf({ colour: 'blue', ids: {}, text: 'abcdef' })).toEqual([
      { field: 'colour', code: 'unknown_field' },
      { field: 'entries', code: 'required' },
      { field: 'ids', code: 'type_list' },
      { field: 'text', code: 'max_length', params: { max: 5 } },
    ]);
  });

  it('reports violations within entries and accepts any JSON', () => {
    const json = { any: [{ thing: 1 }] };
    expect(problemsOf({ entries, json })).toEqual([]);
    expect(problemsOf({ entries: [{ name: 'a' }, { name: '' }, {}], json })).toEqual([
      { field: 'entries[1].name', code: 'min_length', params: { min: 1 } },
      { field: 'entries[2].name', code: 'required' },
    ]);
  });
});
