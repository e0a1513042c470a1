import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChoiceField, ChoiceListField, IdListField, TextField, WholeExample } from '../../../platform/http/input';
import {
  ACCESS_MODES,
  CLAIM_PLACES,
  CLAIM_SOURCES,
  claimFilterProblem,
  ClaimMapping,
  claimNameProblem,
  ClientAccess,
} from './client-claims';
import type { AccessMode, ClaimPlace, ClaimSource } from './client-claims';

export const MAX_CLAIMS = 50;
const MAX_ADMITTED = 100;

export class ClientAccessInputDto {
  @ChoiceField({
    description: '`everybody`: all users. `restricted`: the users, and the members of the roles and groups',
    options: ACCESS_MODES,
    example: 'restricted',
  })
  mode: AccessMode;

  @IdListField({ description: 'Roles whose members may use it. Default: none', max: MAX_ADMITTED, optional: true })
  role_ids?: string[];

  @IdListField({
    description: 'Groups whose members, and those of the groups below, may use it. Default: none',
    max: MAX_ADMITTED,
    optional: true,
  })
  group_ids?: string[];

  @IdListField({ description: 'Users who may use it. Default: none', max: MAX_ADMITTED, optional: true })
  user_ids?: string[];
}

/** Without `value`, which groups do not have. */
const EXAMPLE = { name: 'groups', from: 'groups', filter: 'grafana-', in: ['id_token', 'userinfo'] };

@WholeExample(EXAMPLE)
export class ClientClaimInputDto {
  @TextField({
    description: 'Name of the claim, once in a place. Names of the protocol are reserved',
    min: 1,
    max: 100,
    check: claimNameProblem,
    example: 'groups',
  })
  name: string;

  @ChoiceField({
    description:
      '`roles`: names of roles. `permissions`: codes of permissions. Those of other scopes begin with their scope, such ' +
      'as `crm:admin`. `groups`: names of the groups of the user and of those above them',
    options: CLAIM_SOURCES,
    example: 'roles',
  })
  from: ClaimSource;

  @TextField({
    description: 'For roles, groups and permissions: the beginning of those to include. Default: `*`, all',
    min: 1,
    max: 152,
    check: claimFilterProblem,
    optional: true,
    example: 'grafana-',
  })
  filter?: string;

  @TextField({
    description:
      'For a constant its value; for an attribute `username`, `nickname`, `email`, `phone`, `locale`, or the name of one of `/api/attribute`',
    min: 1,
    max: 500,
    optional: true,
  })
  value?: string;

  @ChoiceListField({ description: 'Where the claim appears', options: CLAIM_PLACES, min: 1 })
  in: ClaimPlace[];
}

export class ClientAccessDto {
  @ApiProperty({ enum: [...ACCESS_MODES] }) mode: AccessMode;
  @ApiProperty({ type: [String], format: 'uuid' }) role_ids: readonly string[];
  @ApiProperty({ type: [String], format: 'uuid' }) group_ids: readonly string[];
  @ApiProperty({ type: [String], format: 'uuid' }) user_ids: readonly string[];
}

@WholeExample(EXAMPLE)
export class ClientClaimDto {
  @ApiProperty({ example: 'groups' }) name: string;
  @ApiProperty({ enum: [...CLAIM_SOURCES], example: 'roles' }) from: ClaimSource;
  @ApiPropertyOptional({ example: 'grafana-' }) filter?: string;
  @ApiPropertyOptional({ description: 'Of an attribute or constant' }) value?: string;
  @ApiProperty({ type: [String], enum: [...CLAIM_PLACES] }) in: readonly ClaimPlace[];
}

export const accessDto = ({ mode, roleIds, groupIds = [], userIds }: ClientAccess): ClientAccessDto => ({
  mode,
  role_ids: roleIds,
  group_ids: groupIds,
  user_ids: userIds,
});

/** Duplicates count once. With keys in the order in which PostgreSQL stores them, as below. */
export const accessOf = (access: ClientAccessInputDto): ClientAccess => ({
  mode: access.mode,
  roleIds: [...new Set(access.role_ids)],
  userIds: [...new Set(access.user_ids)],
  ...(access.group_ids?.length && { groupIds: [...new Set(access.group_ids)] }),
});

export const claimDto = ({ name, from, filter, value, in: places }: ClaimMapping): ClientClaimDto => ({
  name,
  from,
  ...(filter !== undefined && { filter }),
  ...(value !== undefined && { value }),
  in: places,
});

/** With keys in the order in which PostgreSQL stores them, so that unchanged claims compare as equal. */
export const claimsOf = (claims: readonly ClientClaimInputDto[]): ClaimMapping[] =>
  claims.map(({ name, from, filter, value, in: places }) => ({
    in: [...new Set(places)],
    from,
    name,
    ...(value !== undefined && { value }),
    ...(filter !== undefined && { filter }),
  }));
