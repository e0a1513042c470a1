import { CanActivate, ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { FieldProblem } from '../../errors';
import { isJsonObject } from '../../util';
import { checkInput, fieldsOf, validationError } from './check-input';
import { unknownFields } from './constraints';
import { isUncheckedInput } from './unchecked-input';

interface RequestInput {
  query: unknown;
  body?: unknown;
}

type Constructor = new () => object;

/**
 * The classes that validate the input of a route; null: the route accepts any input and validates it itself, which it
 * has to declare by `@UncheckedInput()`.
 */
interface Inputs {
  readonly queryNames: ReadonlySet<string>;
  /** Undefined: the route accepts no such input. */
  readonly query: Constructor | null | undefined;
  readonly body: Constructor | null | undefined;
  readonly ignoreUnknown: boolean;
}

const NONE: ReadonlySet<string> = new Set();

type Handler = (...args: unknown[]) => unknown;

const IGNORES_UNKNOWN = Symbol('castellan.ignores_unknown');

/** Drops unknown names instead of rejecting them, for protocols that require it (RFC 6749 §3.1). */
export const IgnoreUnknownNames = (): MethodDecorator => SetMetadata(IGNORES_UNKNOWN, true);

const only = (names: Iterable<string>, from: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...names].flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])));

/** Returns the input without undeclared names. */
function declaredPart({ query, body }: RequestInput, inputs: Inputs): RequestInput {
  const isKnown = isJsonObject(body) && inputs.body;
  return {
    query:
      inputs.query === null ? query : only(['lang', ...inputs.queryNames], (query ?? {}) as Record<string, unknown>),
    body: isKnown ? only(fieldsOf(inputs.body), body) : body,
  };
}

interface InputParameter {
  /** Null: the type is no class, or the parameter is declared as unchecked. */
  readonly type: Constructor | null;
  readonly isUnchecked: boolean;
}

const prototypeOf = (controller: object): object => (controller as { prototype: object }).prototype;

/** The parameters of a handler that Nest fills from the body or the query. */
function parametersOf(controller: object, { name }: Handler, kind: RouteParamtypes): InputParameter[] {
  const metadata: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name);
  const args = (metadata ?? {}) as Record<string, { index: number }>;
  const prototype = prototypeOf(controller);
  const types = (Reflect.getMetadata('design:paramtypes', prototype, name) ?? []) as unknown[];
  return Object.entries(args)
    .filter(([key]) => key.startsWith(`${kind}:`))
    .map(([, { index }]) => {
      const isUnchecked = isUncheckedInput(prototype, name, index);
      // TypeScript writes Object for an interface, a union and `unknown`.
      const isClass = typeof types[index] === 'function' && types[index] !== Object;
      return { type: isClass && !isUnchecked ? (types[index] as Constructor) : null, isUnchecked };
    });
}

function inputsOf(controller: object, handler: Handler): Inputs {
  const find = (kind: RouteParamtypes): Constructor | null | undefined => {
    const parameters = parametersOf(controller, handler, kind);
    if (parameters.length === 0) return undefined;
    return parameters.find(({ type }) => type !== null)?.type ?? null;
  };
  const query = find(RouteParamtypes.QUERY);
  return {
    query,
    queryNames: query ? fieldsOf(query) : NONE,
    body: find(RouteParamtypes.BODY),
    ignoreUnknown: Reflect.getMetadata(IGNORES_UNKNOWN, handler) === true,
  };
}

/** Returns the query and body classes that declare no field, which would reject every name. */
export function fieldlessInputs(controller: object, handler: Handler): string[] {
  const { query, body } = inputsOf(controller, handler);
  return [query, body].flatMap((type) => (type && fieldsOf(type).size === 0 ? [type.name] : []));
}

/** Returns `@Body()` and `@Query()` if nothing would check that input and the handler does not declare it. */
export function unclassedInputs(controller: object, handler: Handler): string[] {
  const kinds = { '@Body()': RouteParamtypes.BODY, '@Query()': RouteParamtypes.QUERY };
  return Object.entries(kinds).flatMap(([decorator, kind]) => {
    const parameters = parametersOf(controller, handler, kind);
    const isChecked = parameters.some(({ type }) => type !== null);
    return !isChecked && parameters.some(({ isUnchecked }) => !isUnchecked) ? [decorator] : [];
  });
}

/** Rejects repeated and unknown names. */
function checkQueryNames(query: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): FieldProblem[] {
  const given = Object.keys(query);
  // Most requests have no query.
  if (given.length === 0) return [];
  const twice = given.filter((field) => Array.isArray(query[field])).map((field) => ({ field, code: 'given_twice' }));
  const names = given.filter((name) => name !== 'lang');
  return [...twice, ...unknownFields(names, known)];
}

function checkNoBody(body: unknown): FieldProblem[] {
  if (body === undefined || body === null) return [];
  if (typeof body !== 'object' || Array.isArray(body)) return [{ field: '', code: 'type_object' }];
  return unknownFields(Object.keys(body), NONE);
}

/**
 * Validates query and body of every route, including routes without input, and passes instances of the declared classes
 * to the handler. It is a guard, because a host's global pipes run before ours and would validate our input by the
 * host's rules. It is no interceptor, because those turn every request into a chain of observables.
 */
@Injectable()
export class InputGuard implements CanActivate {
  private readonly known = new WeakMap<Handler, Inputs>();

  /** Errors: `validation_failed`. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RequestInput>();
    const inputs = this.inputs(context.getClass(), context.getHandler() as Handler);
    if (inputs.ignoreUnknown) Object.assign(request, declaredPart(request, inputs));
    const given = { ...(request.query as Record<string, unknown> | undefined) };
    const fields = inputs.query === null ? [] : checkQueryNames(given, inputs.queryNames);
    if (inputs.body === undefined) fields.push(...checkNoBody(request.body));
    if (fields.length > 0) throw validationError(fields);
    // `lang` is allowed everywhere and has already been read.
    const { lang: _lang, ...query } = given;
    request.query = query;
    if (inputs.query) request.query = checkInput(inputs.query, query);
    if (inputs.body) request.body = checkInput(inputs.body, request.body);
    return true;
  }

  private inputs(controller: object, handler: Handler): Inputs {
    const known = this.known.get(handler);
    if (known) return known;
    const inputs = inputsOf(controller, handler);
    this.known.set(handler, inputs);
    return inputs;
  }
}
