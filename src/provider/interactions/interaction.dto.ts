import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChoiceField, field, listRule, textRule } from '../../platform/input';
import { PublicUserInfoDto } from '../../users';
import { WordedScopeDto } from '../consents/consents.controller';

export const DECISIONS = ['allow', 'deny'] as const;
const MOST_SCOPES = 100;

export class DecideDto {
  @ChoiceField({ description: 'What the user says', options: DECISIONS })
  decision: (typeof DECISIONS)[number];

  @field(
    listRule({ max: MOST_SCOPES }, textRule({ max: 152 })),
    { description: 'Those that are allowed, of those asked for. Default: all', optional: true },
    { type: [String], maxItems: MOST_SCOPES },
  )
  scopes?: string[];
}

class InteractionClientDto {
  @ApiProperty({ description: "The client's `client_id`" }) id: string;
  @ApiProperty() name: string;
  @ApiProperty() logo: string;
  @ApiProperty() first_party: boolean;
}

export class InteractionDto {
  @ApiProperty() uid: string;
  @ApiProperty({ enum: ['login', 'consent'] }) kind: string;
  @ApiProperty({ type: InteractionClientDto }) client: InteractionClientDto;
  @ApiProperty({ type: [WordedScopeDto], description: 'What is asked for, in words' }) scopes: WordedScopeDto[];
  @ApiPropertyOptional({ type: PublicUserInfoDto, description: 'Whoever is logged in with this browser' })
  user?: PublicUserInfoDto;
}

export class RedirectDto {
  @ApiProperty({ description: 'Where the browser goes on' }) redirect: string;
}
