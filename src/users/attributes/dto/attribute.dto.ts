import { ApiProperty, ApiPropertyOptions, ApiSchema, OmitType } from '@nestjs/swagger';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  JsonField,
  NestedField,
  ObjectField,
  TextField,
} from '../../../platform/http/input';
import type {
  AttributeSource,
  AttributeView,
  AttributeTexts,
  AttributeType,
  OwnerRight,
  RequiredAt,
} from '../attribute.entity';
import { attributeSources, attributeTypes, ownerRights, requiredAt } from '../attribute.entity';
import { AttributeInput, MAX_KEY_LENGTH, MAX_PATTERN } from '../attribute-definition';
import { MAX_CHOICES } from '../attribute-rules';

const MAX_LABEL = 100;
const MAX_POSITION = 1_000_000;
const NAME = '^[a-z][a-z0-9_]{0,49}$';
const isName = new RegExp(NAME);

const Texts = (max: number, example: string): PropertyDecorator =>
  TextField({ description: 'In this language', max, example });

export class AttributeLabelDto {
  @Texts(MAX_LABEL, 'Employee number') en: string;
  @Texts(MAX_LABEL, '工号') zh: string;
}

export class AttributeDescriptionDto {
  @Texts(500, 'On the back of the badge') en: string;
  @Texts(500, '见工牌背面') zh: string;
}

const limit = (which: string): PropertyDecorator =>
  JsonField({
    description: `The ${which} value: of a \`number\` a number, of a \`date\` a day. Other types have none`,
    optional: true,
    example: 0,
  });

/** Only present members are changed. null removes a limit. */
export class ChangeAttributeDto implements AttributeInput {
  @ChoiceField({
    description:
      'Another type only while no user has a value. A `date` is `YYYY-MM-DD`, a `text_list` has up to 50 texts',
    options: attributeTypes,
    optional: true,
  })
  type?: AttributeType;

  @NestedField(() => AttributeLabelDto, { description: 'Name in lists and forms', optional: true })
  label?: AttributeLabelDto;

  @NestedField(() => AttributeDescriptionDto, { description: 'Help in forms. Default: none', optional: true })
  description?: AttributeDescriptionDto;

  @JsonField({
    description: `For \`choice\`: 1 to ${MAX_CHOICES} different texts, or objects with \`value\` and \`label\` in both languages`,
    optional: true,
    example: [{ value: 'berlin', label: { en: 'Berlin', zh: '柏林' } }],
  })
  choices?: unknown;

  @limit('least') min?: unknown;
  @limit('greatest') max?: unknown;

  @IntegerField({
    description: `For \`text\`, and each item of a \`text_list\`: characters. Default ${MAX_KEY_LENGTH}, which is also the greatest for unique and searchable attributes`,
    min: 1,
    max: 1_000,
    optional: true,
    nullable: true,
  })
  max_length?: number | null;

  @TextField({
    description: 'For `text` and `text_list`: a regular expression that matches the whole text, in RE2 syntax',
    max: MAX_PATTERN,
    optional: true,
    nullable: true,
    example: '[A-Z]{2}[0-9]{4}',
  })
  pattern?: string | null;

  @ChoiceField({
    description: 'What the owner of the account may do. Default `none`',
    options: ownerRights,
    optional: true,
  })
  owner?: OwnerRight;

  @ChoiceField({
    description:
      'When users must give it: never, when they register, or before anything else at the next login. Needs `owner: "write"`. Default `no`',
    options: requiredAt,
    optional: true,
  })
  required?: RequiredAt;

  @BooleanField({
    description: 'Whether no two users have the same value, ignoring case. Changes only while no user has a value',
    optional: true,
  })
  unique?: boolean;

  @BooleanField({ description: 'Whether users can be found by it', optional: true })
  searchable?: boolean;

  @ChoiceField({
    description: 'Who writes it beside the owner: administrators (`local`), or directories alone',
    options: attributeSources,
    optional: true,
  })
  source?: AttributeSource;

  @IntegerField({
    description: 'Ascending in lists and forms, then by name. Default: last',
    min: 0,
    max: MAX_POSITION,
    optional: true,
  })
  position?: number;
}

export class CreateAttributeDto extends OmitType(ChangeAttributeDto, ['type', 'label'] as const) {
  @TextField({
    description: 'Lower-case letters, digits and underscores, beginning with a letter. Fixed',
    max: 50,
    pattern: NAME,
    check: (name) => (isName.test(name) ? undefined : 'attribute_code'),
    example: 'employee_no',
  })
  name: string;

  @ChoiceField({ description: 'A `date` is `YYYY-MM-DD`, a `text_list` has up to 50 texts', options: attributeTypes })
  type: AttributeType;

  @NestedField(() => AttributeLabelDto, { description: 'Name in lists and forms' })
  label: AttributeLabelDto;
}

/** The schema of values in responses. */
export const attributesSchema = {
  type: 'object' as const,
  additionalProperties: {
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
  },
  example: { employee_no: 'AB1234' },
} satisfies ApiPropertyOptions;

export const AttributesField = (): PropertyDecorator =>
  ObjectField({
    description: 'Values by name of the attribute. Those left out stay; null removes one',
    // OpenAPI 3.0.3 allows `nullable` only with a type.
    values: { oneOf: [{ type: 'string', nullable: true }, ...attributesSchema.additionalProperties.oneOf.slice(1)] },
    optional: true,
    example: attributesSchema.example,
  });

export class AttributeChoiceDto {
  @ApiProperty({ example: 'berlin' }) value: string;
  @ApiProperty({ type: AttributeLabelDto, nullable: true }) label: AttributeTexts | null;
}

/** A limit of a `number` or a `date`. OpenAPI 3.0.3 allows `nullable` only with a type. */
const bound: ApiPropertyOptions = { oneOf: [{ type: 'number', nullable: true }, { type: 'string' }], example: 0 };

/** What a form needs. */
export class AttributeFieldDto {
  @ApiProperty({ example: 'employee_no' }) name: string;
  @ApiProperty({ enum: attributeTypes }) type: AttributeType;
  @ApiProperty({ type: AttributeLabelDto }) label: AttributeTexts;
  @ApiProperty({ type: AttributeDescriptionDto }) description: AttributeTexts;
  @ApiProperty({ type: [AttributeChoiceDto], nullable: true, description: 'Of a `choice`; null: another type' })
  choices: AttributeChoiceDto[] | null;
  @ApiProperty(bound) min: number | string | null;
  @ApiProperty(bound) max: number | string | null;
  @ApiProperty({ type: 'integer', nullable: true }) max_length: number | null;
  @ApiProperty({ type: String, nullable: true, example: '[A-Z]{2}[0-9]{4}' }) pattern: string | null;
  @ApiProperty({ enum: ownerRights, description: 'What the owner of the account may do' }) owner: OwnerRight;
  @ApiProperty({ enum: requiredAt, description: 'When users must give it' }) required: RequiredAt;
}

@ApiSchema({ description: 'A field of users that operators define' })
export class AttributeDto extends AttributeFieldDto {
  @ApiProperty({ description: 'Whether no two users have the same value' }) unique: boolean;
  @ApiProperty({ description: 'Whether users can be found by it' }) searchable: boolean;
  @ApiProperty({ description: 'Whether all users can be found by it already' }) indexed: boolean;
  @ApiProperty({ enum: attributeSources }) source: AttributeSource;
  @ApiProperty({ type: 'integer' }) position: number;
}

@ApiSchema({ description: 'All attributes, by position, then name' })
export class AttributeListDto {
  @ApiProperty({ type: [AttributeDto] }) items: AttributeDto[];
}

@ApiSchema({ description: 'The attributes that the owner of an account may read, by position, then name' })
export class AttributeFieldListDto {
  @ApiProperty({ type: [AttributeFieldDto] }) items: AttributeFieldDto[];
}

export function attributeFieldDto({
  name,
  type,
  label,
  description,
  rules,
  owner,
  required,
}: AttributeView): AttributeFieldDto {
  return {
    name,
    type,
    label,
    description,
    choices: rules.choices?.map(({ value, label: text }) => ({ value, label: text })) ?? null,
    min: rules.min ?? null,
    max: rules.max ?? null,
    max_length: rules.maxLength ?? null,
    pattern: rules.pattern ?? null,
    owner,
    required,
  };
}

export function attributeDto(attribute: AttributeView): AttributeDto {
  const { unique, searchable, source, position, indexedTo } = attribute;
  return Object.assign(attributeFieldDto(attribute), {
    unique,
    searchable,
    indexed: indexedTo === null,
    source,
    position,
  });
}
