import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ListField } from '../../platform/input';
import { EffectiveGrant, StoredGrants } from '../effective-grants';
import { DIRECT } from '../system-roles';
import { GrantDto, grantDto, MAX_GRANTS, PermissionInputDto, RemoveField } from './grant.dto';

export class ChangeUserGrantsDto {
  @ListField(() => PermissionInputDto, {
    description: 'Direct grants to add; sets the level of one that is present',
    max: MAX_GRANTS,
    optional: true,
  })
  add?: PermissionInputDto[];

  @RemoveField()
  remove?: string[];
}

export class EffectiveGrantDto extends GrantDto {
  @ApiProperty({
    type: [String],
    example: [DIRECT, 'editor'],
    description: 'Names of roles of the user or of groups, or `direct`',
  })
  from: string[];

  @ApiPropertyOptional({
    type: [String],
    example: ['Editors'],
    description: 'Names of the groups that have such a role. Absent without one',
  })
  groups?: string[];
}

@ApiSchema({ description: "The user's direct grants, and the effective grants with their sources" })
export class UserGrantsDto {
  @ApiProperty({ type: [GrantDto], description: 'Sorted by scope, then permission' }) direct: GrantDto[];
  @ApiProperty({ type: [EffectiveGrantDto], description: 'Direct and role grants, merged' })
  effective: EffectiveGrantDto[];
}

export function userGrantsDto({ direct, effective }: StoredGrants): UserGrantsDto {
  return {
    direct: direct.map(grantDto),
    effective: effective.map((grant) => Object.assign(grantDto(grant), sourcesOf(grant))),
  };
}

function sourcesOf({ from }: EffectiveGrant): Pick<EffectiveGrantDto, 'from' | 'groups'> {
  const groups = [...new Set(from.flatMap(({ group }) => group?.name ?? []))];
  const names = [...new Set(from.map(({ role }) => role ?? DIRECT))];
  return groups.length === 0 ? { from: names } : { from: names, groups };
}
