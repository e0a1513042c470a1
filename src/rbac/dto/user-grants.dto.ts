import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListField } from '../../platform/input';
import { StoredGrants } from '../effective-grants';
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
  @ApiProperty({ type: [String], example: [DIRECT, 'editor'], description: 'Names of roles, or `direct`' })
  from: string[];
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
    effective: effective.map((grant) => Object.assign(grantDto(grant), { from: grant.from.map(nameOfSource) })),
  };
}

function nameOfSource(role: string | null): string {
  return role ?? DIRECT;
}
