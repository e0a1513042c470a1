import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type MembershipStatus, membershipStatuses } from '../../rbac';
import { MembershipWithRoles } from '../organization-names.repository';

class OwnOrganizationDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'acme' }) slug: string;
  @ApiProperty({ example: 'Acme Ltd' }) name: string;
  @ApiProperty({ description: 'Empty without one', example: 'https://acme.example.com/logo.svg' }) logo: string;

  @ApiProperty({ enum: membershipStatuses, description: '`pending` until the caller accepts. It counts nowhere' })
  status: MembershipStatus;

  @ApiProperty({
    type: [String],
    example: ['billing:bookkeeper', 'organization/billing:clerk'],
    description: 'Names of the roles that the caller has, or gets by accepting, there only, each after its scope',
  })
  roles: readonly string[];
}

@ApiSchema({ description: 'The organizations of the caller' })
export class OwnOrganizationListDto {
  @ApiProperty({ type: [OwnOrganizationDto] }) items: OwnOrganizationDto[];
}

export const ownOrganizationsDto = (memberships: readonly MembershipWithRoles[]): OwnOrganizationListDto => ({
  items: memberships.map(({ id, slug, name, logo, status, roles }) => ({ id, slug, name, logo, status, roles })),
});
