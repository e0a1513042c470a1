import { CanActivate, ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { FieldProblem } from '../errors';
import { isJsonObject } from '../text';
import { checkInput, fieldsRefused } from './check-input';
import { declaredFields } from './declared-fields';

interface RequestInput {
  query: unknown;
  body?: unknown;
}

type Constructor = new () => object;

/** The classes a route's input is checked against; null: it takes any, and judges for itself. */
interface Inputs {
  readonly queryNames: ReadonlySet<string>;
  /** undefined: the route takes no such input at all. */
  readonly query: Constructor | null | undefined;
  readonly body: Constructor | null | undefined;
  readonly ignoreUnknown: boolean;
}

type Handler = (...args: unknown[]) => unknown;

const IGNORES_UNKNOWN = Symbol('castellan.ignores_unknown');

/** Names that the route does not declare are left out instead of refused, where a protocol says so (RFC 6749 §3.1). */
export const IgnoreUnknownNames = (): MethodDecorator => SetMetadata(IGNORES_UNKNOWN, true);

const only = (names: Iterable<string>, from: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries([...names].flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]]] : [])));

/** What is left of the input when the names nobody declared are left out. */
function declaredPart({ query, body }: RequestInput, inputs: Inputs): RequestInput {
  const isKnown = isJsonObject(body) && inputs.body;
  return {
    query: only(['lang', ...inputs.queryNames], (query ?? {}) as Record<string, unknown>),
    body: isKnown ? only(declaredFields(inputs.body).keys(), body) : body,
  };
}

const unknownFields = (names: readonly string[]): FieldProblem[] =>
  names.map((field) => ({ field, code: 'unknown_field' }));

function inputsOf(controller: object, handler: Handler): Inputs {
  const metadata: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name);
  const args = (metadata ?? {}) as Record<string, { index: number }>;
  const prototype = (controller as { prototype: object }).prototype;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, handler.name) ?? []) as unknown[];
  const find = (kind: RouteParamtypes): Constructor | null | undefined => {
    const argument = Object.entries(args).find(([key]) => key.startsWith(`${kind}:`))?.[1];
    if (!argument) return undefined;
    const type = types[argument.index];
    return typeof type === 'function' && type !== Object ? (type as Constructor) : null;
  };
  const query = find(RouteParamtypes.QUERY);
  return {
    query,
    queryNames: new Set(query ? declaredFields(query).keys() : []),
    body: find(RouteParamtypes.BODY),
    ignoreUnknown: Reflect.getMetadata(IGNORES_UNKNOWN, handler) === true,
  };
}

/** A name given twice is as wrong as one that is not known. */
function checkQueryNames(query: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): FieldProblem[] {
  const twice = Object.entries(query)
    .filter(([, value]) => Array.isArray(value))
    .map(([field]) => ({ field, code: 'given_twice' }));
  return [...twice, ...unknownFields(Object.keys(query).filter((name) => name !== 'lang' && !known.has(name)))];
}

function checkNoBody(body: unknown): FieldProblem[] {
  if (body === undefined || body === null) return [];
  if (typeof body !== 'object' || Array.isArray(body)) return [{ field: '', code: 'type_object' }];
  return unknownFields(Object.keys(body));
}

/**
 * Checks query and body of every route, also where it takes none, and hands the handler instances of its classes. A
 * guard, because a host's global pipes run before ours and would judge our input by the host's rules; and no
 * interceptor, since those make every request, of whatever route, a chain of observables.
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
    const fields = checkQueryNames(given, inputs.queryNames);
    if (inputs.body === undefined) fields.push(...checkNoBody(request.body));
    if (fields.length > 0) throw fieldsRefused(fields);
    // `lang` is known everywhere and was read before.
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
