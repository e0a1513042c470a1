import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { FieldProblem, ProblemError } from '../../errors';
import { checkInput } from './check-input';
import { BooleanField, IntegerField, QueryIntegerField, TextField } from './fields';
import { textRule } from './field-validator';
import { ChoiceListField, JsonField, ListField, ObjectField, RowListField } from './structured-fields';

const description = 'a value';
const optional = true;

class EntryDto {
  @TextField({ description, max: 5, optional }) name?: string;
}

class WholeDto {
  @ListField(() => EntryDto, { description, max: 3, optional }) entries?: EntryDto[];
  @RowListField(() => EntryDto, { description, max: 3, optional, rules: { name: textRule({ max: 5 }) } })
  rows?: EntryDto[];
  @ChoiceListField({ description, options: ['a', 'b'], optional }) choices?: string[];
  @ObjectField({ description, optional, nullable: true }) object?: object | null;
  @JsonField({ description, optional }) json?: unknown;
  @TextField({ description, max: 5, optional }) text?: string;
  @BooleanField({ description, optional }) truth?: boolean;
  @IntegerField({ description, min: 0, max: 9, optional }) level?: number;
}

function problemsOf(input: unknown, type: new () => object = WholeDto): readonly FieldProblem[] {
  try {
    checkInput(type, input);
  } catch (error) {
    if (error instanceof ProblemError) return error.fields;
    throw error;
  }
  return [];
}

describe('checkInput with hostile input', () => {
  it.each<[object, string, string]>([
    [{ entries: [[]] }, 'entries[0]', 'type_object'],
    [{ entries: [[[]]] }, 'entries[0]', 'type_object'],
    [{ entries: [{}, null] }, 'entries[1]', 'type_object'],
    [{ entries: { length: 1 } }, 'entries', 'type_list'],
    [{ entries: null }, 'entries', 'type_list'],
    [{ rows: [[]] }, 'rows[0]', 'type_object'],
    [{ rows: [{ name: 'a', more: 1 }] }, 'rows[0].more', 'unknown_field'],
    [{ rows: [{ name: 5 }] }, 'rows[0].name', 'type_text'],
    [{ choices: ['a', 'c'] }, 'choices[1]', 'one_of'],
    [{ object: [] }, 'object', 'type_object'],
    [{ text: null }, 'text', 'type_text'],
    [{ text: 'a\0' }, 'text', 'well_formed'],
    [{ text: 'a\ud800' }, 'text', 'well_formed'],
    [{ truth: 'false' }, 'truth', 'type_boolean'],
    [{ level: '5' }, 'level', 'type_integer'],
    [{ level: 1e300 }, 'level', 'type_integer'],
    [{ level: null }, 'level', 'type_integer'],
  ])('rejects %j: %s %s', (input, field, code) => {
    expect(problemsOf(input)).toEqual([expect.objectContaining({ field, code })]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])('rejects the name %s', (name) => {
    const held = JSON.parse(`{"${name}":{"name":"a"}}`) as object;
    expect(problemsOf(held)).toEqual([{ field: name, code: 'unknown_field' }]);
    expect(problemsOf({ entries: [held] })).toEqual([{ field: `entries[0].${name}`, code: 'unknown_field' }]);
    expect(problemsOf({ json: held })).toEqual([{ field: `json.${name}`, code: 'unknown_field' }]);
  });

  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('rejects 20,000 levels of %s', (_, open, close) => {
    const deep: unknown = JSON.parse(`${open.repeat(20_000)}1${close.repeat(20_000)}`);
    for (const field of ['entries', 'rows', 'json', 'text', 'unknown']) {
      expect(problemsOf({ [field]: deep })).toEqual([expect.objectContaining({ code: 'depth' })]);
    }
  });

  it('keeps any JSON unchanged', () => {
    const json = { a: [1, '2', null, { then: true, length: '3' }], b: false };
    expect(checkInput(WholeDto, { json, object: null })).toEqual({ json, object: null });
  });
});

describe('constraints of class-validator', () => {
  class MixedDto {
    @TextField({ description, max: 9 }) @MaxLength(3) ours: string;
    @IsString({ context: { of: 'the host' } }) theirs: string;
  }

  it('apply besides our fields and are reported by name', () => {
    expect(checkInput(MixedDto, { ours: 'abc', theirs: 'x' })).toBeInstanceOf(MixedDto);
    expect(problemsOf({ ours: 'abcd', theirs: 5 }, MixedDto)).toEqual([
      { field: 'ours', code: 'max_length' },
      { field: 'theirs', code: 'is_string' },
    ]);
  });
});

describe("a host's global ValidationPipe", () => {
  class PageDto {
    @QueryIntegerField({ description, min: 0, max: 9, optional }) page?: number;
    @ListField(() => EntryDto, { description, max: 3, optional }) entries?: EntryDto[];
    @RowListField(() => EntryDto, { description, max: 3, optional, rules: { name: textRule({ max: 5 }) } })
    rows?: EntryDto[];
    @JsonField({ description, optional }) json?: unknown;
  }

  it.each([
    {},
    { transform: true },
    { transform: true, transformOptions: { enableImplicitConversion: true } },
    { transform: true, forbidUnknownValues: true, stopAtFirstError: true },
  ])('accepts checked input with the options %j', async (options) => {
    const pipe = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, ...options });
    const checked = checkInput(PageDto, {
      page: '5',
      entries: [{ name: 'a' }],
      rows: [{ name: 'b' }],
      json: [{ a: 1 }],
    });
    const given: unknown = await pipe.transform(checked, { type: 'body', metatype: PageDto });
    expect(given).toEqual({ page: 5, entries: [{ name: 'a' }], rows: [{ name: 'b' }], json: [{ a: 1 }] });
  });
});
