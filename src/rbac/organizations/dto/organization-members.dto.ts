import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdField, IdListField } from '../../../platform/input';
import { CursorPageOf, PageOf } from '../../../platform/lists';
import { PublicUserInfoDto, publicUserDto } from '../../../users';
import { type MembershipStatus, membershipStatuses } from '../organization-member-list.repository';
import { OrganizationMemberView } from '../organization.views';

const MAX_ROLES = 100;

export class AddOrganizationMemberDto {
  @IdField({ description: 'The user. A member keeps present roles' })
  user_id: string;

  @IdListField({
    description: 'Roles that the member gets in this organisation only, without system roles',
    max: MAX_ROLES,
    optional: true,
  })
  role_ids?: string[];
}

export class ChangeOrganizationMemberDto {
  @IdListField({
    description: 'The complete set of roles in this organisation, without system roles',
    max: MAX_ROLES,
  })
  role_ids: string[];
}

@ApiSchema({ description: 'A member, with the roles in the organisation' })
export class OrganizationMemberDto extends PublicUserInfoDto {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Roles in this organisation only',
  })
  role_ids: readonly string[];

  @ApiProperty({ format: 'date-time', description: 'Of a pending member: when the user was added' })
  joined_at: string;

  @ApiProperty({ enum: membershipStatuses, description: '`pending` until the user accepts. It counts nowhere' })
  status: MembershipStatus;
}

@ApiSchema({ description: 'A page of members with the total' })
export class OrganizationMemberPageDto extends PageOf(OrganizationMemberDto) {}
@ApiSchema({ description: 'Members after a cursor, and the next cursor' })
export class OrganizationMemberCursorPageDto extends CursorPageOf(OrganizationMemberDto) {}

/** @param origin of the request, for absolute URLs */
export const organizationMemberDto = (
  { user, roleIds, joinedAt, status }: OrganizationMemberView,
  origin: string,
): OrganizationMemberDto =>
  Object.assign(publicUserDto(user, origin), { role_ids: roleIds, joined_at: joinedAt.toISOString(), status });
