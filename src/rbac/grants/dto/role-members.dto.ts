import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdField, IdListField } from '../../../platform/http/input';
import { CursorPageOf, PageOf } from '../../../platform/lists';
import { PublicUserInfoDto } from '../../../users';

export const MAX_MEMBERS = 10_000;
const MAX_NAMED_MEMBERS = 100;

export class ReplaceRoleUsersDto {
  @IdListField({ description: 'The complete new set of users; an empty list removes everyone', max: MAX_MEMBERS })
  user_ids: string[];
}

export class AddRoleUsersDto {
  @IdListField({ description: 'Users to add to the role; present members stay', max: MAX_NAMED_MEMBERS })
  user_ids: string[];

  @IdField({
    description: 'The users get the role in this organization only, of which they must be members. Default: everywhere',
    optional: true,
  })
  organization_id?: string;
}

export class RemoveRoleUsersDto {
  @IdListField({ description: 'Users to remove from the role; others are ignored', max: MAX_NAMED_MEMBERS })
  user_ids: string[];
}

@ApiSchema({ description: 'The number of added users' })
export class MembersAddedDto {
  @ApiProperty({ type: 'integer', description: 'Users who were not in the role before', example: 3 }) added: number;
}

@ApiSchema({ description: 'The number of removed users' })
export class MembersRemovedDto {
  @ApiProperty({ type: 'integer', description: 'Users who were in the role before', example: 3 }) removed: number;
}

@ApiSchema({ description: 'The numbers of added, removed and present users' })
export class MembershipChangeDto {
  @ApiProperty({ type: 'integer', example: 3 }) added: number;
  @ApiProperty({ type: 'integer', example: 1 }) removed: number;
  @ApiProperty({ type: 'integer', description: 'Users of the role now', example: 12 }) total: number;
}

@ApiSchema({ description: 'A page of users with the total' })
export class PublicUserPageDto extends PageOf(PublicUserInfoDto) {}
@ApiSchema({ description: 'Users after a cursor, and the next cursor' })
export class PublicUserCursorPageDto extends CursorPageOf(PublicUserInfoDto) {}
