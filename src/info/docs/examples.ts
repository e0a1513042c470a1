import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];

/**
 * An example is useful once: a field that accepts either kind has none. Query parameters get none: pages would send it.
 */
const byFormat: Readonly<Record<string, string>> = {
  uuid: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4',
  'date-time': '2026-01-31T09:30:00.000Z',
};

function complete(schema: Schema): void {
  if ('$ref' in schema) return;
  const example = byFormat[schema.format ?? ''];
  if (example !== undefined) schema.example ??= example;
  if (schema.items) complete(schema.items);
  for (const property of Object.values(schema.properties ?? {})) complete(property);
}

/** Gives ids and moments an example; what else cannot be guessed has one where the field is declared. */
export function completeExamples(schemas: Schemas): void {
  for (const schema of Object.values(schemas)) complete(schema);
}
