import { CallHandler, ExecutionContext, Injectable, NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { getMetadataStorage } from 'class-validator';
import { Observable } from 'rxjs';
import { FieldProblem, platformErrors } from '../errors';

interface RequestInput {
  query: unknown;
  body?: unknown;
}

interface Names {
  /** undefined: the route takes no such input at all. */
  readonly query: ReadonlySet<string> | undefined;
  readonly takesBody: boolean;
}

type Handler = (...args: unknown[]) => unknown;

const unknownFields = (names: readonly string[]): FieldProblem[] =>
  names.map((field) => ({ field, code: 'unknown_field' }));

function queryNames(dto: unknown): ReadonlySet<string> {
  if (typeof dto !== 'function') return new Set();
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return new Set(metadata.map(({ propertyName }) => propertyName));
}

function namesOf(controller: object, handler: Handler): Names {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as Record<
    string,
    { index: number }
  >;
  const prototype = (controller as { prototype: object }).prototype;
  const types = (Reflect.getMetadata('design:paramtypes', prototype, handler.name) ?? []) as unknown[];
  const find = (kind: RouteParamtypes): { index: number } | undefined =>
    Object.entries(args).find(([key]) => key.startsWith(`${kind}:`))?.[1];
  const query = find(RouteParamtypes.QUERY);
  return { query: query && queryNames(types[query.index]), takesBody: find(RouteParamtypes.BODY) !== undefined };
}

/** `lang` is known everywhere and was read before; a name given twice is as wrong as one that is not known. */
function checkQuery(request: RequestInput, known: ReadonlySet<string> | undefined): FieldProblem[] {
  const { lang, ...query } = (request.query ?? {}) as Record<string, unknown>;
  request.query = query;
  const twice = Object.entries({ lang, ...query })
    .filter(([, value]) => Array.isArray(value))
    .map(([field]) => ({ field, code: 'given_twice' }));
  return [...twice, ...unknownFields(Object.keys(query).filter((name) => !known?.has(name)))];
}

function checkNoBody(body: unknown): FieldProblem[] {
  if (body === undefined || body === null) return [];
  if (typeof body !== 'object' || Array.isArray(body)) return [{ field: '', code: 'type_object' }];
  return unknownFields(Object.keys(body));
}

/** Refuses unknown or repeated query parameters on every route, and fields in the body of a route that takes none. */
@Injectable()
export class StrictNamesInterceptor implements NestInterceptor {
  private readonly known = new Map<Handler, Names>();

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<RequestInput>();
    const names = this.names(context.getClass(), context.getHandler() as Handler);
    const fields = checkQuery(request, names.query);
    if (!names.takesBody) fields.push(...checkNoBody(request.body));
    if (fields.length > 0) throw platformErrors.validationFailed({ fields });
    return next.handle();
  }

  private names(controller: object, handler: Handler): Names {
    const known = this.known.get(handler);
    if (known) return known;
    const names = namesOf(controller, handler);
    this.known.set(handler, names);
    return names;
  }
}
