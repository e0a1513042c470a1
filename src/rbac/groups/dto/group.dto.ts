import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IdField, IdListField, TextField } from '../../../platform/http/input';
import { PageOf, PageQueryDto } from '../../../platform/lists';
import { isGroupName, MAX_GROUP_NAME } from '../../grants/group-name';
import { GroupView } from '../../grants/group.views';

const MAX_ROLES = 100;

const NameField = (options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description:
      'Unique in the service or in the organization, ignoring case and width of letters. Words separated by single spaces, without slashes or invisible characters',
    min: 1,
    max: MAX_GROUP_NAME,
    check: (name) => (isGroupName(name) ? undefined : 'group_name'),
    example: 'Editors',
    ...options,
  });

const DescriptionField = (): PropertyDecorator =>
  TextField({
    description: 'For display',
    max: 500,
    optional: true,
    nullable: true,
    example: 'Writes and publishes reports',
  });

const RolesField = (): PropertyDecorator =>
  IdListField({
    description: 'The complete set of roles of the group itself, without system roles. Its members hold them',
    max: MAX_ROLES,
    optional: true,
  });

export class ListGroupsDto extends PageQueryDto {
  @TextField({ description: 'Part of a name, ignoring case, without wildcards', max: MAX_GROUP_NAME, optional: true })
  keyword?: string;

  @IdField({ description: 'Only the groups directly below this one', optional: true })
  parent_id?: string;

  @IdField({ description: 'Only groups that have this role themselves', optional: true })
  role_id?: string;

  @IdField({ description: 'The groups of this organization. Default: those of the service', optional: true })
  organization_id?: string;
}

export class CreateGroupDto {
  @NameField({ optional: false }) name: string;
  @DescriptionField() description?: string | null;

  @IdField({
    description: 'The group above, of the same organization. Default: none',
    optional: true,
    nullable: true,
  })
  parent_id?: string | null;

  @IdField({
    description: 'The organization that the group belongs to, for good. Default: a group of the service',
    optional: true,
    nullable: true,
  })
  organization_id?: string | null;

  @RolesField() role_ids?: string[];
}

export class ChangeGroupDto {
  @NameField({ optional: true }) name?: string;
  @DescriptionField() description?: string | null;

  @IdField({
    description: 'The group above, of the same organization; null moves the group to the top',
    optional: true,
    nullable: true,
  })
  parent_id?: string | null;

  @IdField({ description: 'The same as before, because a group stays where it is', optional: true, nullable: true })
  organization_id?: string | null;

  @RolesField() role_ids?: string[];
}

@ApiSchema({ description: 'The group with its roles and its number of members' })
export class GroupDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Editors' }) name: string;
  @ApiProperty({ example: 'Writes and publishes reports' }) description: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'null at the top' })
  parent_id: string | null;

  @ApiPropertyOptional({ format: 'uuid', description: 'Absent from a group of the service' })
  organization_id?: string;

  @ApiProperty({
    type: [String],
    description: 'Names from the group at the top to this one',
    example: ['Staff', 'Editors'],
  })
  path: readonly string[];

  @ApiProperty({
    type: [String],
    format: 'uuid',
    description: 'Its own roles. Members also hold those of the groups above',
  })
  role_ids: readonly string[];

  @ApiProperty({
    type: 'integer',
    description: 'Without members of the groups below. Exact up to 10,000, then an estimate',
    example: 12,
  })
  member_count: number;
}

@ApiSchema({ description: 'A page of groups, each with its roles and its number of members' })
export class GroupPageDto extends PageOf(GroupDto) {}

export const groupDto = ({ group, path, roleIds, memberCount }: GroupView): GroupDto => ({
  id: group.id,
  name: group.name,
  description: group.description,
  parent_id: group.parentId,
  ...(group.organizationId !== null && { organization_id: group.organizationId }),
  path,
  role_ids: roleIds,
  member_count: memberCount,
});
