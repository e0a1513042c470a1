import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../../../platform/input';

const MAX_IDENTIFIER = 320;

export class IdentifierDto {
  @TextField({
    description: 'A username, e-mail address or phone number',
    min: 1,
    max: MAX_IDENTIFIER,
    example: 'ann@acme.example.com',
  })
  identifier: string;
}

class IdentifiedProviderDto {
  @ApiProperty({ example: 'acme' }) name: string;
  @ApiProperty({ example: 'Acme Ltd' }) label: string;
  @ApiProperty({ description: 'Empty without one', example: '/assets/acme.svg' }) icon: string;
  @ApiProperty({ example: '/api/oauth/login/acme' }) login_url: string;
}

@ApiSchema({ description: 'How to log in with an identifier' })
export class IdentifierAnswerDto {
  @ApiProperty({
    type: IdentifiedProviderDto,
    nullable: true,
    description: 'The login provider of the organisation that owns the domain of the e-mail address. null: another way',
  })
  provider: IdentifiedProviderDto | null;
}
