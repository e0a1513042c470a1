import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Schemas[string];
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Answer = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;

const NO_CONTENT = '204';

/** An answer may be one of several things. */
const schemasOf = (schema: Schema): Schema[] => ('oneOf' in schema ? (schema.oneOf ?? []) : [schema]);

/**
 * An answer that its route says nothing of is what its class says of itself (`@ApiSchema`): the same thing wherever it
 * comes.
 */
export function describeAnswer(status: string, answer: Answer, schemas: Schemas): string {
  if (answer.description !== '') return answer.description;
  if (status === NO_CONTENT) return 'Done; nothing is answered';
  const schema = Object.values(answer.content ?? {})[0]?.schema;
  if (!schema) return '';
  const words = schemasOf(schema).map((each) => {
    const named = '$ref' in each ? schemas[each.$ref.split('/').at(-1) ?? ''] : each;
    return named && 'description' in named ? (named.description ?? '') : '';
  });
  return words.filter((each) => each !== '').join('; or: ');
}
