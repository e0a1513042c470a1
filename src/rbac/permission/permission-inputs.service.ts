import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config';
import { FieldProblem, platformErrors } from '../../platform/errors';
import { PermissionInputDto, PlacedGrantInputDto } from './dto/grant.dto';
import { VerifyQueryDto } from './dto/permission-check.dto';
import { formatPermissionCode, Grant, grantOf, parsePermissionCode, PermissionCheck, PermissionCode } from '.';

/** The grants to add and the permissions to remove. No permission occurs twice. */
export interface GrantChange {
  readonly add: readonly Grant[];
  readonly remove: readonly PermissionCode[];
}

/** Changes by the id of the organization in which the grants hold; null: everywhere. */
export type GrantChanges = ReadonlyMap<string | null, GrantChange>;

interface Read<T> {
  readonly value?: T;
  readonly problem?: FieldProblem;
}

interface Placed<T> extends Read<T> {
  readonly place: string | null;
}

/** Parses permissions from requests. One without a scope gets the service's scope. Throws `validation_failed`. */
@Injectable()
export class PermissionInputsService {
  constructor(private readonly environment: Environment) {}

  /** @param field the list's name in violations */
  grants(field: string, inputs: readonly PermissionInputDto[]): Grant[] {
    const read = inputs.map((input, index) => this.read(`${field}[${index}]`, input));
    const problems = [...problemsOf(read), ...repeated(field, read)];
    if (problems.length > 0) throw platformErrors.validationFailed({ fields: problems });
    return valuesOf(read).map((check) => grantOf(check, check.level));
  }

  /** The same permission may occur more than once, at several levels. */
  checks(field: string, inputs: readonly PermissionInputDto[]): PermissionCheck[] {
    const read = inputs.map((input, index) => this.read(`${field}[${index}]`, input));
    const problems = problemsOf(read);
    if (problems.length > 0) throw platformErrors.validationFailed({ fields: problems });
    return valuesOf(read);
  }

  /** Parses one permission. Its violations name the member without a path. */
  check(input: PermissionInputDto): PermissionCheck {
    const { value, problem } = this.read('', input);
    if (!value) throw platformErrors.validationFailed({ fields: problem ? [problem] : [] });
    return value;
  }

  /**
   * Parses a check from a query, or returns undefined when the query has none. A scope or level without a permission is
   * an error.
   */
  optionalCheck({ permission, scope, level }: VerifyQueryDto): PermissionCheck | undefined {
    if (permission === undefined) {
      if (scope === undefined && level === undefined) return undefined;
      throw platformErrors.validationFailed({ fields: [{ field: 'permission', code: 'required' }] });
    }
    const input = {
      permission_id: permission,
      ...(scope !== undefined && { scope }),
      ...(level !== undefined && { level }),
    };
    return this.check(input);
  }

  change(add: readonly PermissionInputDto[], remove: readonly string[]): GrantChange {
    return this.changes(add, remove).get(null) ?? { add: [], remove: [] };
  }

  /**
   * No permission occurs twice in one organization, or everywhere.
   * @param from the organization of what `remove` names; null: what holds everywhere
   */
  changes(add: readonly PlacedGrantInputDto[], remove: readonly string[], from: string | null = null): GrantChanges {
    const grants = add.map((input, index) => ({
      ...this.read(`add[${index}]`, input),
      place: input.organization_id ?? null,
    }));
    const codes = remove.map((text, index) => ({ ...this.readCode(`remove[${index}]`, text), place: from }));
    const places = [...new Set([...grants, ...codes].map(({ place }) => place))];
    const problems = [
      ...problemsOf(grants),
      ...problemsOf(codes),
      ...places.flatMap((place) => repeatedIn(within(grants, place), within(codes, place))),
    ];
    if (problems.length > 0) throw platformErrors.validationFailed({ fields: problems });
    return new Map(
      places.map((place) => [
        place,
        {
          add: valuesOf(within(grants, place)).map((check) => grantOf(check, check.level)),
          remove: valuesOf(within(codes, place)),
        },
      ]),
    );
  }

  private readCode(field: string, text: string): Read<PermissionCode> {
    const value = parsePermissionCode(text, this.environment.serviceScope);
    return value ? { value } : { problem: { field, code: 'permission' } };
  }

  private read(path: string, { scope, permission_id, level }: PermissionInputDto): Read<PermissionCheck> {
    const member = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const code = parsePermissionCode(permission_id, scope ?? this.environment.serviceScope);
    if (!code) return { problem: { field: member('permission_id'), code: 'permission' } };
    if (scope !== undefined && scope !== code.scope) {
      return { problem: { field: member('scope'), code: 'scope_disagrees' } };
    }
    return { value: { ...code, ...(level !== undefined && { level }) } };
  }
}

function problemsOf(read: readonly Read<unknown>[]): FieldProblem[] {
  return read.flatMap(({ problem }) => problem ?? []);
}

function valuesOf<T>(read: readonly Read<T>[]): T[] {
  return read.flatMap(({ value }) => value ?? []);
}

/** The others become empty, so that each keeps its index. */
const within = <T>(read: readonly Placed<T>[], place: string | null): Read<T>[] =>
  read.map((one) => (one.place === place ? one : {}));

function repeatedIn(grants: readonly Read<PermissionCheck>[], codes: readonly Read<PermissionCode>[]): FieldProblem[] {
  const added = new Set(valuesOf(grants).map(formatPermissionCode));
  return [...repeated('add', grants), ...repeated('remove', codes, added)];
}

function repeated(field: string, read: readonly Read<PermissionCode>[], seen = new Set<string>()): FieldProblem[] {
  const known = new Set(seen);
  return read.flatMap(({ value }, index) => {
    if (!value) return [];
    const key = formatPermissionCode(value);
    if (known.has(key)) return [{ field: `${field}[${index}]`, code: 'unique' }];
    known.add(key);
    return [];
  });
}
