import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IdListField, IntegerField, TextField } from '../../../platform/http/input';
import { PageOf } from '../../../platform/lists';
import { EmailField, PhoneField } from '../../../users';
import { InvitationView } from '../invitation.views';

const MAX_ROLES = 100;
const MIN_LIFE_SECONDS = 3_600;
const MAX_LIFE_SECONDS = 2_592_000;

export class CreateInvitationDto {
  @EmailField() email?: string | null;
  @PhoneField() phone?: string | null;

  @IdListField({ description: 'Roles to give in the organization. Default: none', max: MAX_ROLES, optional: true })
  role_ids?: string[];

  @IntegerField({
    description: 'Seconds until the invitation expires. Default: 604,800, seven days',
    min: MIN_LIFE_SECONDS,
    max: MAX_LIFE_SECONDS,
    optional: true,
    example: 604_800,
  })
  expires_in?: number;
}

/** Longer texts never name an invitation, and are not found either. */
const MAX_TOKEN = 200;

export class InvitationTokenDto {
  @TextField({
    description: 'The part of the link after `#`',
    max: MAX_TOKEN,
    example: 'Zq0T0bq8jX3v5m1yK6wP2cR7nL4hD9sF0gA8eU5iO1t',
  })
  token: string;
}

@ApiSchema({ description: 'An invitation that was neither accepted nor withdrawn; it may have expired' })
export class InvitationDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ type: String, nullable: true, example: 'ann@example.com' }) email: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'E.164', example: '+8613800138000' })
  phone: string | null;
  @ApiProperty({ type: [String], format: 'uuid', description: 'Without roles that were deleted since' })
  role_ids: readonly string[];
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'null: nothing opens it until another user sends it',
  })
  inviter_id: string | null;
  @ApiProperty({ description: 'Whether nothing opens it at present, because the inviter is disabled' })
  suspended: boolean;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time', description: 'When the present link was sent' }) sent_at: string;
  @ApiProperty({ format: 'date-time' }) expires_at: string;
}

@ApiSchema({ description: 'A page of invitations, newest first' })
export class InvitationPageDto extends PageOf(InvitationDto) {}

export const invitationDto = (invitation: InvitationView): InvitationDto => ({
  id: invitation.id,
  email: invitation.channel === 'email' ? invitation.address : null,
  phone: invitation.channel === 'sms' ? invitation.address : null,
  role_ids: invitation.roleIds,
  inviter_id: invitation.inviterId,
  suspended: invitation.isSuspended,
  created_at: invitation.createdAt.toISOString(),
  sent_at: invitation.sentAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});
