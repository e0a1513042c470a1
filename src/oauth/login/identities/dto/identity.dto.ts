import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Identity } from '../identity.entity';

export class IdentityDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'Name of the provider', example: 'github' }) provider: string;
  @ApiProperty({ example: 'GitHub' }) label: string;
  @ApiProperty({
    description: 'Helps the owner to recognize the account: a masked e-mail address or a name',
    example: 'a***@example.com',
  })
  subject_hint: string;
  @ApiProperty({ format: 'date-time' }) linked_at: string;
  @ApiProperty({ format: 'date-time' }) last_used_at: string;
}

@ApiSchema({ description: 'The linked third-party accounts' })
export class IdentityListDto {
  @ApiProperty({ type: [IdentityDto] }) items: IdentityDto[];
}

export function identityDto(identity: Identity): IdentityDto {
  return {
    id: identity.id,
    provider: identity.providerName,
    label: identity.providerLabel,
    subject_hint: identity.subjectHint,
    linked_at: identity.linkedAt.toISOString(),
    last_used_at: identity.lastUsedAt.toISOString(),
  };
}
