import { FieldProblem, platformErrors } from '../../platform/errors';
import { presentMembers } from '../../platform/util';
import { LimitsInput, plainTexts, RulesReader } from './attribute-rules';
import { DEFAULT_MAX_LENGTH } from './attribute-value';
import {
  AttributeView,
  AttributeSource,
  AttributeTexts,
  AttributeType,
  hasKeys,
  OwnerRight,
  RequiredAt,
} from './attribute.entity';

export const MAX_PATTERN = 200;
/** For values that are unique or searchable, in code points: they are part of an index. */
export const MAX_KEY_LENGTH = DEFAULT_MAX_LENGTH;
/** Fields that users have anyway, and what no body of a request may have. */
const RESERVED: ReadonlySet<string> = new Set(['username', 'nickname', 'email', 'phone', 'locale', 'constructor']);
const NO_TEXTS: AttributeTexts = { en: '', zh: '' };

/** A definition as it is given. Members that are left out stay as they are. */
export interface AttributeInput extends LimitsInput {
  readonly type?: AttributeType;
  readonly label?: AttributeTexts;
  readonly description?: AttributeTexts;
  readonly owner?: OwnerRight;
  readonly required?: RequiredAt;
  readonly unique?: boolean;
  readonly searchable?: boolean;
  readonly source?: AttributeSource;
  readonly position?: number;
}

export type NewAttributeInput = AttributeInput &
  Required<Pick<AttributeInput, 'type' | 'label'>> & { readonly name: string };

/** Throws `validation_failed`. */
export function newAttribute(input: NewAttributeInput, position: number): AttributeView {
  if (RESERVED.has(input.name)) reject([{ field: 'name', code: 'attribute_reserved' }]);
  const { name, type, label } = input;
  const blank: AttributeView = {
    name,
    type,
    label,
    description: NO_TEXTS,
    rules: {},
    owner: 'none',
    required: 'no',
    unique: false,
    searchable: false,
    source: 'local',
    position,
    indexedTo: null,
    deletedAt: null,
  };
  return changedAttribute(blank, input);
}

/** The definition after the change. Limits of a former type go with it. Throws `validation_failed`. */
export function changedAttribute(before: AttributeView, input: AttributeInput): AttributeView {
  const { type = before.type, label, description } = input;
  const { owner, required, unique, searchable, source, position } = input;
  const reader = new RulesReader(type, input, type === before.type ? before.rules : {});
  const after: AttributeView = {
    ...before,
    ...presentMembers({ type, owner, required, unique, searchable, source, position }),
    ...(label && { label: plainTexts(label) }),
    ...(description && { description: plainTexts(description) }),
    rules: reader.read(),
  };
  reject([...reader.problems, ...contradictions(after)]);
  return after;
}

function contradictions(after: AttributeView): FieldProblem[] {
  const { type, rules, owner, required, unique, source } = after;
  const isLong = (rules.maxLength ?? 0) > MAX_KEY_LENGTH;
  return [
    ...(required !== 'no' && owner !== 'write' ? [{ field: 'required', code: 'attribute_owner_writes' }] : []),
    ...(source === 'directory' && owner === 'write' ? [{ field: 'owner', code: 'attribute_of_directory' }] : []),
    ...(unique && type === 'boolean' ? [{ field: 'unique', code: 'attribute_unique_type' }] : []),
    ...(hasKeys(after) && isLong ? [{ field: 'max_length', code: 'max', params: { max: MAX_KEY_LENGTH } }] : []),
  ];
}

function reject(fields: readonly FieldProblem[]): void {
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}
