import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { messageChannels } from '../../../messaging';
import { Organization } from '../../../rbac';
import { OrganizationLookDto, organizationLookDto } from '../../dto/organization-look.dto';
import { AcceptedInvitation } from '../invitation-acceptance.service';
import { OpenInvitation } from '../open-invitations.service';
import { maskedContact } from '../invitation.views';

export class InvitingOrganizationDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'acme' }) slug: string;
  @ApiProperty({ example: 'Acme' }) name: string;
  @ApiProperty({ description: 'An https URL, or empty', example: 'https://acme.example/logo.svg' }) logo: string;
}

@ApiSchema({ description: 'What the page of an invitation shows' })
export class OpenInvitationDto {
  @ApiProperty({ type: InvitingOrganizationDto }) organization: InvitingOrganizationDto;
  @ApiProperty({
    type: OrganizationLookDto,
    nullable: true,
    description: 'What the organization has set. null: nothing',
  })
  look: OrganizationLookDto | null;
  @ApiProperty({ type: String, nullable: true, description: 'Name of the inviter', example: 'Ann' })
  inviter: string | null;
  @ApiProperty({ enum: messageChannels }) channel: string;
  @ApiProperty({ description: 'The invited contact, masked', example: 'b***@example.com' }) contact: string;
  @ApiProperty({ description: 'Whether an account has verified the contact' }) account_exists: boolean;
  @ApiProperty({ format: 'date-time' }) expires_at: string;
}

@ApiSchema({ description: 'The membership after the invitation' })
export class InvitationAcceptedDto {
  @ApiProperty({ type: InvitingOrganizationDto }) organization: InvitingOrganizationDto;
  @ApiProperty({ type: [String], format: 'uuid', description: 'The roles of the invitation' })
  role_ids: readonly string[];
}

const organizationDto = ({ id, slug, name, logo }: Organization): InvitingOrganizationDto => ({ id, slug, name, logo });

export const openInvitationDto = ({
  invitation,
  organization,
  overlay,
  inviter,
  accountExists,
}: OpenInvitation): OpenInvitationDto => ({
  organization: organizationDto(organization),
  look: overlay ? organizationLookDto(overlay) : null,
  inviter,
  channel: invitation.channel,
  contact: maskedContact(invitation),
  account_exists: accountExists,
  expires_at: invitation.expiresAt.toISOString(),
});

export const invitationAcceptedDto = ({ organization, roleIds }: AcceptedInvitation): InvitationAcceptedDto => ({
  organization: organizationDto(organization),
  role_ids: roleIds,
});
