import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { TextField } from '../../../../platform/http/input';
import { OAuthProviderInfoDto } from '../../providers';

const MAX_IDENTIFIER = 320;

export class IdentifierDto {
  @TextField({
    description: 'A username, e-mail address or phone number',
    min: 1,
    max: MAX_IDENTIFIER,
    typed: true,
    example: 'ann@acme.example.com',
  })
  identifier: string;
}

@ApiSchema({ description: 'How to log in with an identifier' })
export class IdentifierAnswerDto {
  @ApiProperty({
    type: OAuthProviderInfoDto,
    nullable: true,
    description: 'The login provider of the organization that owns the domain of the e-mail address. null: another way',
  })
  provider: OAuthProviderInfoDto | null;
}
