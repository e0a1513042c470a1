import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, TextListField } from '../../../platform/http/input';
import { OrganizationLookDto } from '../../../organizations';
import { PublicUserInfoDto } from '../../../users';
import { WordedScopeDto } from '../consents/consents.controller';

export const DECISIONS = ['allow', 'deny'] as const;
const MAX_SCOPES = 100;

export class DecideDto {
  @ChoiceField({ description: 'The decision of the user', options: DECISIONS })
  decision: (typeof DECISIONS)[number];

  @TextListField({
    description: 'The granted scopes among the requested ones. Default: all',
    max: MAX_SCOPES,
    entry: { max: 152 },
    optional: true,
    example: ['openid', 'profile'],
  })
  scopes?: string[];
}

class InteractionClientDto {
  @ApiProperty({ description: "The client's `client_id`", example: 'as-it-was-registered' }) id: string;
  @ApiProperty({ example: 'Reports' }) name: string;
  @ApiProperty({ example: 'https://reports.example.com/logo.svg' }) logo: string;
  @ApiProperty() first_party: boolean;
}

@ApiSchema({ description: 'The application and its requested scopes' })
export class InteractionDto {
  @ApiProperty({ example: 'as-it-stood-in-the-address' }) uid: string;
  @ApiProperty({ enum: ['login', 'consent'] }) kind: string;
  @ApiProperty({ type: InteractionClientDto }) client: InteractionClientDto;
  @ApiProperty({ type: [WordedScopeDto], description: 'The requested scopes with descriptions' })
  scopes: WordedScopeDto[];
  @ApiPropertyOptional({ type: PublicUserInfoDto, description: 'The user who is logged in with this browser' })
  user?: PublicUserInfoDto;
  @ApiProperty({
    type: OrganizationLookDto,
    nullable: true,
    description:
      'What the organization has set that the client is tied to, to be shown beside the name and the links of the service. Of one that ' +
      'only the request names, `login_methods` alone. null: nothing, or no organization',
  })
  organization: OrganizationLookDto | null;
}

@ApiSchema({ description: 'The URL to send the browser to' })
export class RedirectDto {
  @ApiProperty({
    description: 'The URL to send the browser to',
    example: 'https://id.example.com/api/oauth/authorize/as-it-came',
  })
  redirect: string;
}
