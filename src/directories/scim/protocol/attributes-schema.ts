import { AttributeType, AttributeView } from '../../../users/attributes';
import { defineAttribute, ScimAttribute, ScimSchema } from './schema';

export const ATTRIBUTES_SCHEMA = 'urn:castellan:scim:schemas:attributes:1.0';

/** What the schema says of a defined attribute. */
export type ScimAttributeSource = Pick<AttributeView, 'name' | 'type' | 'label' | 'description' | 'rules' | 'unique'>;

/** A date is a text `YYYY-MM-DD`, because a SCIM dateTime has a time, too. */
const SHAPES: Readonly<Record<AttributeType, Partial<ScimAttribute>>> = {
  text: { type: 'string' },
  number: { type: 'decimal' },
  boolean: { type: 'boolean' },
  date: { type: 'string' },
  choice: { type: 'string' },
  text_list: { type: 'string', multiValued: true },
};

/** The schema of the attributes of users that operators and hosts define. null: there are none. */
export function attributesSchema(attributes: readonly ScimAttributeSource[]): ScimSchema | null {
  if (attributes.length === 0) return null;
  return {
    id: ATTRIBUTES_SCHEMA,
    name: 'Attributes',
    description: 'Attributes of users that this service defines',
    attributes: attributes.map(({ name, type, label, description, rules, unique }) =>
      defineAttribute(name, description.en || label.en, {
        ...SHAPES[type],
        uniqueness: unique ? 'server' : 'none',
        ...(rules.choices && { canonicalValues: rules.choices.map(({ value }) => value) }),
      }),
    ),
  };
}
