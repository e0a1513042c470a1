import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IdField, ListField } from '../../../platform/http/input';
import { DirectGrant, EffectiveGrant, StoredGrants } from '../../permission/effective-grants';
import { DIRECT } from '../../grants/system-roles';
import { GrantDto, grantDto, MAX_GRANTS, PlacedGrantInputDto, RemoveField } from '../../permission/dto/grant.dto';

export class ChangeUserGrantsDto {
  @ListField(() => PlacedGrantInputDto, {
    description: 'Direct grants to add; sets the level of one that is present',
    max: MAX_GRANTS,
    optional: true,
  })
  add?: PlacedGrantInputDto[];

  @RemoveField()
  remove?: string[];

  @IdField({
    description: 'The organization of the grants that `remove` names. Default: those that hold everywhere',
    optional: true,
  })
  remove_organization_id?: string;
}

export class DirectGrantDto extends GrantDto {
  @ApiPropertyOptional({ format: 'uuid', description: 'Absent from a grant that holds everywhere' })
  organization_id?: string;
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
  @ApiProperty({
    type: [DirectGrantDto],
    description: 'Sorted by scope, then permission; those that hold in an organization only are last',
  })
  direct: DirectGrantDto[];

  @ApiProperty({ type: [EffectiveGrantDto], description: 'Direct and role grants that hold everywhere, merged' })
  effective: EffectiveGrantDto[];
}

export function userGrantsDto({ direct, effective }: StoredGrants): UserGrantsDto {
  return {
    direct: direct.map(directGrantDto),
    effective: effective.map((grant) => Object.assign(grantDto(grant), sourcesOf(grant))),
  };
}

const directGrantDto = ({ organizationId, ...grant }: DirectGrant): DirectGrantDto =>
  Object.assign(grantDto(grant), organizationId === undefined ? {} : { organization_id: organizationId });

function sourcesOf({ from }: EffectiveGrant): Pick<EffectiveGrantDto, 'from' | 'groups'> {
  const groups = [...new Set(from.flatMap(({ group }) => group?.name ?? []))];
  const names = [...new Set(from.map(({ role }) => role ?? DIRECT))];
  return groups.length === 0 ? { from: names } : { from: names, groups };
}
