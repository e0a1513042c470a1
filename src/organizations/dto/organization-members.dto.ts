import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdField, IdListField } from '../../platform/http/input';
import { CursorPageOf, PageOf } from '../../platform/lists';
import { PublicUserInfoDto, publicUserDto } from '../../users';
import {
  type MembershipStatus,
  membershipStatuses,
  OrganizationMemberDetailView,
  OrganizationMemberView,
  SetUp,
  setUpKinds,
} from '../../rbac';

const MAX_ROLES = 100;

export class AddOrganizationMemberDto {
  @IdField({ description: 'The user. A member keeps present roles' })
  user_id: string;

  @IdListField({
    description: 'Roles that the member gets in this organization only, without system roles',
    max: MAX_ROLES,
    optional: true,
  })
  role_ids?: string[];
}

export class ChangeOrganizationMemberDto {
  @IdListField({
    description: 'The complete set of roles in this organization, without system roles',
    max: MAX_ROLES,
  })
  role_ids: string[];
}

@ApiSchema({ description: 'A member, with the roles in the organization' })
export class OrganizationMemberDto extends PublicUserInfoDto {
  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Roles in this organization only',
  })
  role_ids: readonly string[];

  @ApiProperty({ format: 'date-time', description: 'Of a pending member: when the user was added' })
  joined_at: string;

  @ApiProperty({ enum: membershipStatuses, description: '`pending` until the user accepts. It counts nowhere' })
  status: MembershipStatus;
}

@ApiSchema({ description: 'Something that acts later for the user who set it up' })
export class SetUpDto implements SetUp {
  @ApiProperty({ enum: setUpKinds, description: 'The rule of a domain, an invitation, or an application' })
  kind: SetUp['kind'];

  @ApiProperty({ description: 'The id, or the domain', example: 'example.com' }) id: string;
  @ApiProperty({ description: 'The masked contact of an invitation', example: 'example.com' }) name: string;
}

@ApiSchema({ description: 'A member, with what acts in the organization for the member' })
export class OrganizationMemberDetailDto extends OrganizationMemberDto {
  @ApiProperty({ type: [SetUpDto], description: 'By kind and name' }) set_up: readonly SetUpDto[];
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

/** @param origin of the request, for absolute URLs */
export const organizationMemberDetailDto = (
  { setUp, ...member }: OrganizationMemberDetailView,
  origin: string,
): OrganizationMemberDetailDto => Object.assign(organizationMemberDto(member, origin), { set_up: setUp });
