import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdListField } from '../../../platform/http/input';

const MAX_MEMBERS = 10_000;
const MAX_NAMED_MEMBERS = 100;

export class ReplaceGroupUsersDto {
  @IdListField({ description: 'The complete new set of users; an empty list removes everyone', max: MAX_MEMBERS })
  user_ids: string[];
}

export class AddGroupUsersDto {
  @IdListField({ description: 'Users to add to the group; present members stay', max: MAX_NAMED_MEMBERS })
  user_ids: string[];
}

export class RemoveGroupUsersDto {
  @IdListField({ description: 'Users to remove from the group; others are ignored', max: MAX_NAMED_MEMBERS })
  user_ids: string[];
}

@ApiSchema({ description: 'The number of added users' })
export class GroupMembersAddedDto {
  @ApiProperty({ type: 'integer', description: 'Users who were not in the group before', example: 3 }) added: number;
}

@ApiSchema({ description: 'The number of removed users' })
export class GroupMembersRemovedDto {
  @ApiProperty({ type: 'integer', description: 'Users who were in the group before', example: 3 }) removed: number;
}

@ApiSchema({ description: 'The numbers of added and removed users' })
export class GroupMembersChangeDto {
  @ApiProperty({ type: 'integer', example: 3 }) added: number;
  @ApiProperty({ type: 'integer', example: 1 }) removed: number;
}
