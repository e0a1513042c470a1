import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdListField } from '../../platform/input';
import { CursorPageOf, PageOf } from '../../platform/lists';
import { PublicUserInfoDto } from '../../users';

export const MAX_MEMBERS = 10_000;
const MAX_ADDED_MEMBERS = 100;

export class ReplaceRoleUsersDto {
  @IdListField({ description: 'The complete new set of users; an empty list removes everyone', max: MAX_MEMBERS })
  user_ids: string[];
}

export class AddRoleUsersDto {
  @IdListField({ description: 'Users to put into the role; those who are in it already stay', max: MAX_ADDED_MEMBERS })
  user_ids: string[];
}

@ApiSchema({ description: 'How many users came' })
export class MembersAddedDto {
  @ApiProperty({ type: 'integer', description: 'Those who were not in the role before', example: 3 }) added: number;
}

@ApiSchema({ description: 'How many users came, how many went, and how many there are now' })
export class MembershipChangeDto {
  @ApiProperty({ type: 'integer', example: 3 }) added: number;
  @ApiProperty({ type: 'integer', example: 1 }) removed: number;
  @ApiProperty({ type: 'integer', description: 'Users of the role now', example: 12 }) total: number;
}

@ApiSchema({ description: 'A page of users, and how many there are' })
export class PublicUserPageDto extends PageOf(PublicUserInfoDto) {}
@ApiSchema({ description: 'Users from a cursor on, and the cursor of those that follow' })
export class PublicUserStretchDto extends CursorPageOf(PublicUserInfoDto) {}
