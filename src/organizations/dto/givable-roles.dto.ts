import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { CursorPageOf } from '../../platform/lists';
import { Role } from '../../rbac';

@ApiSchema({ description: 'A role that the caller may give in the organization' })
export class GivableRoleDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'editor' }) name: string;
  @ApiProperty({ example: 'Writes and publishes reports' }) description: string;
  @ApiProperty({ example: 'iam', description: 'A label, not a limit' }) scope: string;
  @ApiPropertyOptional({ format: 'uuid', description: 'Absent from a role of the service' }) organization_id?: string;
  @ApiProperty({ description: 'Members with the role need a second factor there' }) mfa_required: boolean;
}

@ApiSchema({ description: 'Roles after a cursor, and the next cursor' })
export class GivableRoleCursorPageDto extends CursorPageOf(GivableRoleDto) {}

export const givableRoleDto = ({
  id,
  name,
  description,
  scope,
  organizationId,
  mfaRequired,
}: Role): GivableRoleDto => ({
  id,
  name,
  description,
  scope,
  ...(organizationId !== null && { organization_id: organizationId }),
  mfa_required: mfaRequired,
});
