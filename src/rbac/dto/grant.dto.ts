import { ApiProperty } from '@nestjs/swagger';
import { field, IntegerField, listRule, TextField, textRule } from '../../platform/input';
import type { PermissionLevel } from '../permission';
import { Grant, isScope, parsePermissionCode } from '../permission';

/** More than anybody needs at once, and still one readable request. */
export const MOST_GRANTS = 1_000;
/** `scope:resource:action`. */
const MAX_CODE = 152;

const anyCode = (text: string): string | undefined => (parsePermissionCode(text, '*') ? undefined : 'permission');

export const ScopeField = (description: string, options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description,
    max: 50,
    check: (text) => (isScope(text) ? undefined : 'scope'),
    pattern: String.raw`^(\*|[a-z][a-z0-9_-]{0,49})$`,
    example: 'iam',
    ...options,
  });

export const PermissionIdField = (options: { optional?: boolean } = {}): PropertyDecorator =>
  TextField({
    description: '`resource:action` or `scope:resource:action`; `*` stands for all',
    max: MAX_CODE,
    check: anyCode,
    example: 'report:read',
    ...options,
  });

export const RemoveField = (): PropertyDecorator =>
  field(
    listRule({ max: MOST_GRANTS }, textRule({ max: MAX_CODE })),
    {
      description:
        "`resource:action`, of the service's own scope, or `scope:resource:action`; one not held is no error",
      optional: true,
      example: ['report:delete'],
    },
    { type: [String], maxItems: MOST_GRANTS },
  );

const LEVELS = '1 read · 2 create · 3 update · 4 delete · 5 execute · 6 grant · 7 admin';

export class PermissionInputDto {
  @ScopeField("Default: the one `permission_id` names, else the service's own", { optional: true })
  scope?: string;

  @PermissionIdField()
  permission_id: string;

  @IntegerField({ description: `${LEVELS}. Default 7`, min: 1, max: 7, optional: true })
  level?: PermissionLevel;
}

export class PermissionCheckInputDto {
  @ScopeField("Default: the one `permission_id` names, else the service's own", { optional: true })
  scope?: string;

  @PermissionIdField()
  permission_id: string;

  @IntegerField({
    description: 'Counts where it is higher than the rank of the action',
    min: 1,
    max: 7,
    optional: true,
  })
  level?: PermissionLevel;
}

export class GrantDto {
  @ApiProperty({ example: 'iam' }) scope: string;
  @ApiProperty({ example: 'profile:update', description: '`resource:action`' }) permission_id: string;
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 7, description: LEVELS }) level: number;
}

export function grantDto({ scope, permissionId, level }: Grant): GrantDto {
  return { scope, permission_id: permissionId, level };
}
