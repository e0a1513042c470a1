import type { OpenAPIV3 } from 'openapi-types';
import type { Schema } from './openapi-schemas';

type Schemas = Record<string, Schema>;

export interface Composed {
  readonly value: unknown;
  /** Paths whose value no generator can derive: texts without an example, and objects without properties. */
  readonly gaps: readonly string[];
}

const found = (value: unknown): Composed => ({ value, gaps: [] });

/** Composes an example from those of the fields, as Swagger UI and code generators do. */
export class ExampleComposer {
  constructor(private readonly schemas: Schemas) {}

  compose(schema: Schema, path: string): Composed {
    if ('$ref' in schema) return this.compose(this.schemas[schema.$ref.split('/').at(-1)!]!, path);
    if (schema.example !== undefined) return found(schema.example);
    if (schema.default !== undefined) return found(schema.default);
    if (schema.enum) return found(schema.enum[0]);
    if (schema.oneOf) return this.compose(schema.oneOf[0]!, path);
    if (schema.allOf) return this.composeAll(schema.allOf, path);
    return this.composeByType(schema, path);
  }

  private composeAll(parts: readonly Schema[], path: string): Composed {
    const composed = parts.map((part) => this.compose(part, path));
    return {
      value: Object.assign({}, ...composed.map(({ value }) => value)) as object,
      gaps: composed.flatMap(({ gaps }) => gaps),
    };
  }

  private composeByType(schema: OpenAPIV3.SchemaObject, path: string): Composed {
    if (schema.type === 'boolean') return found(true);
    if (schema.type === 'integer' || schema.type === 'number') return found(schema.minimum ?? 0);
    if (schema.type === 'array') {
      const { value, gaps } = this.compose(schema.items, `${path}[]`);
      return { value: [value], gaps };
    }
    return schema.properties ? this.composeObject(schema.properties, path) : { value: {}, gaps: [path] };
  }

  private composeObject(properties: Schemas, path: string): Composed {
    const fields = Object.entries(properties).map(([name, each]) => ({
      name,
      ...this.compose(each, `${path}.${name}`),
    }));
    return {
      value: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
      gaps: fields.flatMap(({ gaps }) => gaps),
    };
  }
}

/** All schemas within `node` that have an example. */
export function withExamples(node: unknown, path: string): { readonly path: string; readonly schema: Schema }[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'example' in node && 'type' in node ? [{ path, schema: node as Schema }] : [];
  const inside = Object.entries(node).filter(([key]) => key !== 'example');
  return [...own, ...inside.flatMap(([key, child]) => withExamples(child, `${path}/${key}`))];
}
