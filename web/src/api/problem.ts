import type { Problem } from 'castellan-client';

export { isProblem, type Problem } from 'castellan-client';

export const sentenceOf = (problem: Problem): string => problem.detail ?? problem.title;

type Fields = Readonly<Record<string, string>>;

const fieldsByCode: Readonly<Record<string, readonly string[]>> = {
  password_incorrect: ['current_password'],
  password_too_common: ['password', 'new_password'],
  code_invalid: ['code'],
  attribute_trusted: ['owner'],
  in_use: ['type'],
};

/** Codes such as `name_taken` name the field they are about. The routes call the new password by one of two names. */
function fieldsOfCode({ code }: Problem): readonly string[] {
  const [, taken] = /^(\w+)_taken$/.exec(code) ?? [];
  return taken === undefined ? (fieldsByCode[code] ?? []) : [taken];
}

/** Error text per field, keyed by the field's name in the request body. */
export function fieldErrors(problem: Problem): Fields {
  const ofCode = fieldsOfCode(problem).map((field) => [field, sentenceOf(problem)]);
  const named = (problem.errors ?? []).map(({ field, detail }) => [field, detail]);
  return Object.fromEntries([...ofCode, ...named]) as Fields;
}
