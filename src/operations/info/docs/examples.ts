import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];

/**
 * Examples by format. Fields without a format need none. Query parameters get none, because the docs page would send
 * it.
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

/** Adds an example to ids and times. Other fields declare their own. */
export function completeExamples(schemas: Schemas): void {
  for (const schema of Object.values(schemas)) complete(schema);
}
