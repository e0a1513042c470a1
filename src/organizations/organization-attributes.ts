import { FieldProblem } from '../platform/errors';
import { isStorable } from '../platform/util';

export const MAX_ATTRIBUTES = 50;
/** Bytes of all names and values, in UTF-8. */
export const MAX_ATTRIBUTE_BYTES = 8_192;

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,49}$/;

/** Returns the problems of a value that should be an object of texts within the limits. */
export function attributeProblems(field: string, value: unknown): FieldProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ field, code: 'type_object' }];
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > MAX_ATTRIBUTES) return [{ field, code: 'max_items', params: { max: MAX_ATTRIBUTES } }];
  const [wrong] = entries.flatMap(([name, text]) => entryProblems(field, name, text));
  if (wrong) return [wrong];
  const bytes = entries.reduce(
    (sum, [name, text]) => sum + Buffer.byteLength(name) + Buffer.byteLength(String(text)),
    0,
  );
  return bytes > MAX_ATTRIBUTE_BYTES ? [{ field, code: 'attribute_bytes', params: { max: MAX_ATTRIBUTE_BYTES } }] : [];
}

/** Names are part of a path in the answer only if they have the form of one. */
function entryProblems(field: string, name: string, text: unknown): FieldProblem[] {
  if (!NAME.test(name)) return [{ field, code: 'attribute_name' }];
  if (typeof text !== 'string') return [{ field: `${field}.${name}`, code: 'type_text' }];
  return isStorable(text) ? [] : [{ field: `${field}.${name}`, code: 'well_formed' }];
}
