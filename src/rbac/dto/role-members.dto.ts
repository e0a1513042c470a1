import { ApiProperty } from '@nestjs/swagger';
import { IdListField } from '../../platform/input';
import { CursorPageOf, PageOf } from '../../platform/lists';
import { PublicUserInfoDto } from '../../users';

export const MOST_MEMBERS = 10_000;

export class ReplaceRoleUsersDto {
  @IdListField({ description: 'The complete new set of users; an empty list removes everyone', max: MOST_MEMBERS })
  user_ids: string[];
}

export class MembershipChangeDto {
  @ApiProperty({ type: 'integer' }) added: number;
  @ApiProperty({ type: 'integer' }) removed: number;
  @ApiProperty({ type: 'integer', description: 'Users of the role now' }) total: number;
}

export class PublicUserPageDto extends PageOf(PublicUserInfoDto) {}
export class PublicUserStretchDto extends CursorPageOf(PublicUserInfoDto) {}
