import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IdField, QueryIntegerField, RowListField } from '../../platform/input';
import type { PermissionLevel } from '../permission';
import { PermissionCheck, permissionIdOf } from '../permission';
import { CheckedPermission } from '../effective-grants';
import {
  GrantDto,
  grantDto,
  PERMISSION_CHECK_RULES,
  PermissionCheckInputDto,
  PermissionIdField,
  ScopeField,
} from './grant.dto';

export class CheckPermissionsDto {
  @IdField({
    description: 'Default: the caller. OAuth clients must name a user. Another user needs `permission:read`',
    optional: true,
  })
  user_id?: string;

  @RowListField(() => PermissionCheckInputDto, {
    description: 'The permissions to check',
    min: 1,
    max: 100,
    rules: PERMISSION_CHECK_RULES,
  })
  checks: PermissionCheckInputDto[];
}

class BecauseDto {
  @ApiProperty({ enum: ['role', 'direct'] }) source: 'role' | 'direct';
  @ApiPropertyOptional({ description: 'Name of the role', example: 'editor' }) role?: string;
  @ApiProperty({ type: GrantDto }) grant: GrantDto;
}

export class PermissionCheckResultDto {
  @ApiProperty({ example: 'iam' }) scope: string;
  @ApiProperty({ example: 'role:read' }) permission_id: string;
  @ApiPropertyOptional({ type: 'integer', description: 'As in the request', example: 1 }) level?: number;
  @ApiProperty() allowed: boolean;
  @ApiProperty({ type: BecauseDto, nullable: true, description: 'null when denied' }) because: BecauseDto | null;
  @ApiProperty({
    type: GrantDto,
    nullable: true,
    description: 'The smallest grant that would allow it; null when allowed',
  })
  closest: GrantDto | null;
}

@ApiSchema({ description: 'Whether all are allowed, and the result of each check with its reason' })
export class PermissionChecksDto {
  @ApiProperty({ description: 'Whether all are allowed' }) allowed: boolean;
  @ApiProperty({ type: [PermissionCheckResultDto], description: 'In the order of the request' })
  results: PermissionCheckResultDto[];
}

export class VerifyQueryDto {
  @PermissionIdField({ optional: true })
  permission?: string;

  @ScopeField("Default: the one `permission` names, else the service's own", { optional: true })
  scope?: string;

  @QueryIntegerField({
    description: 'Applies when it is higher than the rank of the action',
    min: 1,
    max: 7,
    optional: true,
  })
  level?: PermissionLevel;
}

function because({ because: reason }: CheckedPermission): BecauseDto | null {
  if (!reason) return null;
  const grant = grantDto(reason.grant);
  return reason.role === null ? { source: 'direct', grant } : { source: 'role', role: reason.role, grant };
}

function asked(check: PermissionCheck): Pick<PermissionCheckResultDto, 'scope' | 'permission_id' | 'level'> {
  const { scope, level } = check;
  return { scope, permission_id: permissionIdOf(check), ...(level !== undefined && { level }) };
}

export function permissionChecksDto(results: readonly CheckedPermission[]): PermissionChecksDto {
  return {
    allowed: results.every(({ allowed }) => allowed),
    results: results.map((result) => ({
      ...asked(result.check),
      allowed: result.allowed,
      because: because(result),
      closest: result.closest && grantDto(result.closest),
    })),
  };
}
