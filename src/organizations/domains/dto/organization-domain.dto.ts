import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { BooleanField, IdListField, TextField } from '../../../platform/http/input';
import { domainProblem } from '../claimable-domain';
import { OrganizationDomainView, txtNameOf } from '../organization-domain.views';

const MAX_ROLES = 100;
const MAX_DOMAIN = 253;

export class ClaimDomainDto {
  @TextField({
    description: 'With at least two labels, also an international one. Public mail hosts are rejected',
    min: 1,
    max: MAX_DOMAIN,
    check: domainProblem,
    example: 'example.com',
  })
  domain: string;
}

export class ChangeDomainDto {
  @BooleanField({
    description:
      'Whether users who verify an e-mail address of the domain become members. Only once the domain is verified',
    optional: true,
  })
  members_join?: boolean;

  @IdListField({ description: 'The roles that they get', max: MAX_ROLES, optional: true })
  role_ids?: string[];
}

@ApiSchema({ description: 'A domain that the organization claims or has proved' })
export class DomainDto {
  @ApiProperty({ description: 'Lower case, in ASCII', example: 'example.com' }) domain: string;
  @ApiProperty({ enum: ['pending', 'verified'] }) status: string;
  @ApiProperty({ description: 'Name of the TXT record', example: '_castellan-challenge.example.com' }) txt_name: string;
  @ApiProperty({
    description: 'Value of the TXT record',
    example: 'castellan-domain-verification=Zq0T0bq8jX3v5m1yK6wP2c',
  })
  txt_value: string;
  @ApiProperty() members_join: boolean;
  @ApiProperty({ type: [String], format: 'uuid' }) role_ids: readonly string[];
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Who last set `members_join` or `role_ids`. Users join while this user may give the roles there',
  })
  set_by: string | null;

  @ApiProperty({ description: 'Whether nobody joins at present, because who set the rule is disabled' })
  suspended: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true }) verified_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;
}

@ApiSchema({ description: 'The domains of an organization, by name' })
export class DomainListDto {
  @ApiProperty({ type: [DomainDto] }) items: DomainDto[];
}

export const domainDto = (view: OrganizationDomainView): DomainDto => ({
  domain: view.domain,
  status: view.verifiedAt ? 'verified' : 'pending',
  txt_name: txtNameOf(view.domain),
  txt_value: view.txtValue,
  members_join: view.membersJoin,
  role_ids: view.roleIds,
  set_by: view.ruleSetBy,
  suspended: view.membersJoin && view.isSuspended,
  verified_at: view.verifiedAt?.toISOString() ?? null,
  created_at: view.createdAt.toISOString(),
});
