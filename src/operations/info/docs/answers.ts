import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answer = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;

const NO_CONTENT = '204';

/** A response may be one of several schemas. */
const schemasOf = (schema: Schema): Schema[] => ('oneOf' in schema ? (schema.oneOf ?? []) : [schema]);

/** Describes a response. Without a description of the route, the description of its class (`@ApiSchema`) applies. */
export function describeAnswer(status: string, answer: Answer, schemas: Schemas): string {
  if (answer.description !== '') return answer.description;
  if (status === NO_CONTENT) return 'Done. The response has no body';
  const schema = Object.values(answer.content ?? {})[0]?.schema;
  if (!schema) return '';
  const words = schemasOf(schema).map((each) => {
    const named = '$ref' in each ? schemas[each.$ref.split('/').at(-1) ?? ''] : each;
    return named && 'description' in named ? (named.description ?? '') : '';
  });
  return words.filter((each) => each !== '').join('; or: ');
}
