import { FieldProblem, platformErrors } from '../../platform/errors';
import {
  choiceRule,
  FieldValidator,
  idRule,
  optional,
  required,
  objectRule,
  textRule,
} from '../../platform/http/input';
import { isJsonObject, JsonObject } from '../../platform/util';
import { isAction, isResource, parsePermissionCode, PermissionCode } from '../permission';

/** As many as checks in one request. */
export const MAX_EVALUATIONS = 100;
/** Longer than any id of this service; gateways may name a resource by its URL. */
export const MAX_ID = 1_024;
export const MAX_TYPE = 101;

/** When the evaluations of one request end (AuthZEN §7.1.2.1). */
export const SEMANTICS = ['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'] as const;
export type EvaluationsSemantic = (typeof SEMANTICS)[number];

/** Whether a subject may do what the permission says. */
export interface Evaluation {
  readonly subject: { readonly type: string; readonly id: string };
  readonly permission: PermissionCode;
  /** Counts what the subject holds in this organization, too. */
  readonly organizationId?: string;
}

/** An evaluation, or the reasons why it cannot be evaluated. */
export type ReadEvaluation = Evaluation | { readonly problems: readonly FieldProblem[] };

/** The content of an evaluations request. */
export interface EvaluationsRequest {
  /** Undefined: a request without `evaluations`, for one decision (AuthZEN §7.1). */
  readonly semantic: EvaluationsSemantic | undefined;
  readonly evaluations: readonly ReadEvaluation[];
}

type Rules = Readonly<Record<string, FieldValidator>>;

const resourceType = (text: string): string | undefined => (isResource(text) ? undefined : 'resource_name');
const actionName = (text: string): string | undefined => (isAction(text) ? undefined : 'action_name');

/** The members of the entities that are read (AuthZEN §5.1–§5.3). Others must be ignored (§10.1.1). */
const ENTITIES: Readonly<Record<string, Rules>> = {
  subject: { type: required(textRule({ max: MAX_TYPE })), id: required(textRule({ max: MAX_ID })) },
  action: { name: required(textRule({ max: 50, check: actionName })) },
  resource: {
    type: required(textRule({ max: MAX_TYPE, check: resourceType })),
    id: required(textRule({ max: MAX_ID })),
  },
};
const CONTEXT = 'context';
const MEMBERS = [...Object.keys(ENTITIES), CONTEXT];

/** `properties` decide nothing. */
const PROPERTIES = optional(objectRule);
/** The only member of the context that is read (AuthZEN §5.4). */
const ORGANIZATION = 'organization_id';
const ORGANIZATION_ID = optional(idRule);
const SEMANTIC = optional(choiceRule(SEMANTICS));

function violations(rule: FieldValidator, field: string, value: unknown): FieldProblem[] {
  const violation = rule(value);
  return violation ? [{ field, ...violation }] : [];
}

function entityProblems(rules: Rules, field: string, value: unknown): FieldProblem[] {
  if (value === undefined) return [{ field, code: 'required' }];
  if (!isJsonObject(value)) return [{ field, code: 'type_object' }];
  const members = Object.entries({ ...rules, properties: PROPERTIES });
  return members.flatMap(([name, rule]) => violations(rule, `${field}.${name}`, value[name]));
}

function contextProblems(field: string, value: unknown): FieldProblem[] {
  if (value === undefined) return [];
  if (!isJsonObject(value)) return [{ field, code: 'type_object' }];
  return violations(ORGANIZATION_ID, `${field}.${ORGANIZATION}`, value[ORGANIZATION]);
}

function problemsOf(value: JsonObject, path: string, names: readonly string[]): FieldProblem[] {
  return names.flatMap((name) => {
    const rules = ENTITIES[name];
    const field = path === '' ? name : `${path}.${name}`;
    return rules ? entityProblems(rules, field, value[name]) : contextProblems(field, value[name]);
  });
}

const textOf = (value: unknown, name: string): string => String((value as JsonObject)[name]);

function readEvaluation(value: JsonObject, path: string, defaultScope: string): ReadEvaluation {
  const problems = problemsOf(value, path, MEMBERS);
  if (problems.length > 0) return { problems };
  const { subject, resource, action, context } = value;
  const code = `${textOf(resource, 'type')}:${textOf(action, 'name')}`;
  const permission = parsePermissionCode(code, defaultScope);
  if (!permission) return { problems: [{ field: path, code: 'permission' }] };
  return {
    subject: { type: textOf(subject, 'type'), id: textOf(subject, 'id') },
    permission,
    ...organizationOf(context),
  };
}

const organizationOf = (context: unknown): Pick<Evaluation, 'organizationId'> =>
  isJsonObject(context) && context[ORGANIZATION] !== undefined ? { organizationId: textOf(context, ORGANIZATION) } : {};

/** Members of the entry replace the defaults as a whole (AuthZEN §7.1.1). */
function readEntry(entry: unknown, path: string, defaults: JsonObject, defaultScope: string): ReadEvaluation {
  if (!isJsonObject(entry)) return { problems: [{ field: path, code: 'type_object' }] };
  return readEvaluation({ ...defaults, ...entry }, path, defaultScope);
}

function bodyOf(body: unknown): JsonObject {
  if (body === undefined || body === null) return {};
  if (isJsonObject(body)) return body;
  throw platformErrors.validationFailed({ fields: [{ field: '', code: 'type_object' }] });
}

function rejectProblems(fields: readonly FieldProblem[]): void {
  if (fields.length > 0) throw platformErrors.validationFailed({ fields });
}

/** Reads the body of an evaluation request (AuthZEN §6.1). Errors: `validation_failed`. */
export function readSingle(body: unknown, defaultScope: string): Evaluation {
  const read = readEvaluation(bodyOf(body), '', defaultScope);
  if (!('problems' in read)) return read;
  throw platformErrors.validationFailed({ fields: read.problems });
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    throw platformErrors.validationFailed({ fields: [{ field: 'evaluations', code: 'type_list' }] });
  }
  if (value.length <= MAX_EVALUATIONS) return value;
  const params = { max: MAX_EVALUATIONS };
  throw platformErrors.validationFailed({ fields: [{ field: 'evaluations', code: 'max_items', params }] });
}

function semanticOf(options: unknown): EvaluationsSemantic {
  rejectProblems(violations(optional(objectRule), 'options', options));
  const semantic = isJsonObject(options) ? options['evaluations_semantic'] : undefined;
  rejectProblems(violations(SEMANTIC, 'options.evaluations_semantic', semantic));
  return (semantic as EvaluationsSemantic | undefined) ?? 'execute_all';
}

/**
 * Reads the body of an evaluations request (AuthZEN §7.1). Errors in one entry belong to its decision (§7.2.1); those
 * of the rest are `validation_failed`.
 */
export function readEvaluations(body: unknown, defaultScope: string): EvaluationsRequest {
  const request = bodyOf(body);
  const semantic = semanticOf(request['options']);
  const entries = listOf(request['evaluations']);
  if (entries.length === 0) return { semantic: undefined, evaluations: [readSingle(body, defaultScope)] };
  const given = MEMBERS.filter((name) => request[name] !== undefined);
  rejectProblems(problemsOf(request, '', given));
  const defaults = Object.fromEntries(given.map((name) => [name, request[name]]));
  const read = entries.map((entry, index) => readEntry(entry, `evaluations[${index}]`, defaults, defaultScope));
  return { semantic, evaluations: read };
}
