import { ApiProperty } from '@nestjs/swagger';
import {
  IdField,
  idRule,
  IntegerField,
  integerRule,
  optional,
  required,
  TextField,
  TextListField,
  textRule,
} from '../../../platform/http/input';
import type { PermissionLevel } from '..';
import { Grant, isScope, parsePermissionCode } from '..';

/** More than one request needs, but still a readable size. */
export const MAX_GRANTS = 1_000;
/** `scope:resource:action`. */
const MAX_CODE = 152;

const anyCode = (text: string): string | undefined => (parsePermissionCode(text, '*') ? undefined : 'permission');

const SCOPE = { max: 50, check: (text: string) => (isScope(text) ? undefined : 'scope') };
const PERMISSION_ID = { max: MAX_CODE, check: anyCode };
const LEVEL = { min: 1, max: 7 };

/** The rules of `PermissionCheckInputDto`'s fields, for `RowListField`. */
export const PERMISSION_CHECK_RULES = {
  scope: optional(textRule(SCOPE)),
  permission_id: required(textRule(PERMISSION_ID)),
  level: optional(integerRule(LEVEL)),
  organization_id: optional(idRule),
};

export const ScopeField = (description: string, options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description,
    ...SCOPE,
    pattern: String.raw`^(\*|[a-z][a-z0-9_-]{0,49})$`,
    example: 'iam',
    ...options,
  });

export const PermissionIdField = (options: { optional?: boolean } = {}): PropertyDecorator =>
  TextField({
    description: '`resource:action` or `scope:resource:action`; `*` means all',
    ...PERMISSION_ID,
    example: 'report:read',
    ...options,
  });

export const RemoveField = (): PropertyDecorator =>
  TextListField({
    description: "`resource:action`, of the service's own scope, or `scope:resource:action`; one not held is no error",
    max: MAX_GRANTS,
    entry: { max: MAX_CODE },
    optional: true,
    example: ['report:delete'],
  });

const LEVELS = '1 read · 2 create · 3 update · 4 delete · 5 execute · 6 grant · 7 admin';

export class PermissionInputDto {
  @ScopeField("Default: the one `permission_id` names, else the service's own", { optional: true })
  scope?: string;

  @PermissionIdField()
  permission_id: string;

  @IntegerField({ description: `${LEVELS}. Default 7`, ...LEVEL, optional: true })
  level?: PermissionLevel;
}

export class PlacedGrantInputDto extends PermissionInputDto {
  @IdField({ description: 'Holds in this organization only. Default: everywhere', optional: true })
  organization_id?: string;
}

export class PermissionCheckInputDto {
  @ScopeField("Default: the one `permission_id` names, else the service's own", { optional: true })
  scope?: string;

  @PermissionIdField()
  permission_id: string;

  @IntegerField({
    description: 'Applies when it is higher than the rank of the action',
    ...LEVEL,
    optional: true,
  })
  level?: PermissionLevel;

  @IdField({
    description: 'Counts what the user holds in this organization, too. Default: what holds everywhere',
    optional: true,
  })
  organization_id?: string;
}

export class GrantDto {
  @ApiProperty({ example: 'iam' }) scope: string;
  @ApiProperty({ example: 'profile:update', description: '`resource:action`' }) permission_id: string;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 7, description: LEVELS }) level: number;
}

export function grantDto({ scope, permissionId, level }: Grant): GrantDto {
  return { scope, permission_id: permissionId, level };
}
