import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIV3 } from 'openapi-types';
import type { Schema } from '../support/documents/openapi-schemas';
import type { Method } from '../support/service/test-client';

export interface Operation {
  readonly route: string;
  readonly method: Method;
  readonly path: string;
  readonly parameters: readonly OpenAPIV3.ParameterObject[];
  /** Maps a media type to its schema. Empty when the route has no body. */
  readonly bodies: ReadonlyMap<string, Schema>;
  readonly responses: Readonly<Record<string, OpenAPIV3.ResponseObject>>;
}

const file = join(__dirname, '../../docs/openapi.json');

/** The access table test keeps this file equal to the served document. */
export const document = JSON.parse(readFileSync(file, 'utf8')) as OpenAPIV3.Document;

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const;

function operationOf(path: string, verb: string, described: OpenAPIV3.OperationObject): Operation {
  const body = described.requestBody as OpenAPIV3.RequestBodyObject | undefined;
  return {
    route: `${verb.toUpperCase()} ${path}`,
    method: verb.toUpperCase() as Method,
    path,
    parameters: (described.parameters ?? []) as OpenAPIV3.ParameterObject[],
    bodies: new Map(Object.entries(body?.content ?? {}).map(([type, { schema }]) => [type, schema ?? {}])),
    responses: described.responses as Record<string, OpenAPIV3.ResponseObject>,
  };
}

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, verbs]) =>
  VERBS.flatMap((verb) => {
    const described = verbs?.[verb];
    return described ? [operationOf(path, verb, described)] : [];
  }),
);

/** Resolves a reference to its schema. */
export function resolve(schema: Schema): OpenAPIV3.SchemaObject {
  if (!('$ref' in schema)) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const found = document.components?.schemas?.[name];
  if (!found) throw new Error(`The document has no schema ${name}`);
  return resolve(found);
}
