import Ajv, { ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { OpenAPIV3 } from 'openapi-types';

export type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject;

/** Converts `nullable` of OpenAPI 3.0 to JSON Schema and forbids undocumented properties. */
function strict(node: unknown, isWhole = true): unknown {
  if (Array.isArray(node)) return node.map((one) => strict(one, isWhole));
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, discriminator: _, example: __, ...rest } = node as Record<string, unknown>;
  const parts = Object.entries(rest).map(([key, child]) => [key, strict(child, key !== 'allOf')]);
  const schema = Object.fromEntries(parts) as Record<string, unknown>;
  const isClosed = isWhole && schema['properties'] !== undefined && schema['additionalProperties'] === undefined;
  if (isClosed && schema['type'] === 'object') schema['additionalProperties'] = false;
  return nullable === true ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** Returns the validation error of a value, or undefined. */
export type Judge = (schema: Schema, value: unknown) => string | undefined;

/**
 * Validates values by the schemas of a document.
 * @param open names of schemas that others extend by `allOf`, so that they must allow further properties
 */
export function schemaJudge({ components }: OpenAPIV3.Document, open: ReadonlySet<string>): Judge {
  const ajv = formats(new Ajv({ strict: false, allErrors: true, validateFormats: true }));
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
    ajv.addSchema(strict(schema, !open.has(name)) as object, `#/components/schemas/${name}`);
  }
  const compiled = new Map<Schema, ValidateFunction>();
  return (schema, value) => {
    let validate = compiled.get(schema);
    if (!validate) compiled.set(schema, (validate = ajv.compile(strict(schema) as object)));
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}
