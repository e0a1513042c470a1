import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { PENDING_DUTIES, PendingDuty } from '../../../platform/access';
import { GrantDto, grantDto, PageGrants } from '../../../rbac';
import { SessionActorDto } from '../../../session';
import { attributesSchema, shownValues } from '../../../users/attributes';
import type { Attribute, AttributeValues } from '../../../users/attributes';
import { UserView, UserInfoDto, userInfoDto } from '../../../users';

@ApiSchema({ description: 'The account, with all its permissions' })
export class UserInfoWithPermsDto extends UserInfoDto {
  @ApiProperty({ ...attributesSchema, description: 'The values that the owner of the account may read, by name' })
  attributes: AttributeValues;

  @ApiProperty({ type: [GrantDto], description: 'Direct and role grants, merged, sorted by scope, then permission' })
  permissions: GrantDto[];

  @ApiProperty({ example: 'iam', description: "The service's own scope, meant by permissions without a scope" })
  default_scope: string;

  @ApiProperty({
    type: [GrantDto],
    description:
      'Levels that the catalogue requires for actions without a standard one, as far as they matter for `permissions`. Others require 7',
  })
  required_levels: GrantDto[];

  @ApiProperty({
    enum: PENDING_DUTIES,
    type: String,
    nullable: true,
    description: 'What the user must do before ordinary routes open; null: nothing',
  })
  pending: PendingDuty | null;

  @ApiPropertyOptional({
    type: SessionActorDto,
    description: 'The user who acts as this one in the session of the request; absent from an ordinary session',
  })
  actor?: SessionActorDto;
}

/** What does not depend on the session. */
export function accountDto(
  user: UserView,
  attributes: readonly Attribute[],
  held: PageGrants,
): Omit<UserInfoWithPermsDto, 'pending' | 'actor'> {
  return Object.assign(userInfoDto(user), {
    attributes: shownValues(attributes, user.attributes, 'owner'),
    permissions: held.grants.map(grantDto),
    default_scope: held.defaultScope,
    required_levels: held.requiredLevels.map(grantDto),
  });
}
