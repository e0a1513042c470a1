import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { KeyReport } from '../keys/signing-keys.service';

export class SigningKeyDto {
  @ApiProperty({ description: 'The `kid` of the tokens it signs', example: 'the-id-of-a-key' }) kid: string;
  @ApiProperty({ example: 'session' }) usage: string;
  @ApiProperty({ example: 'ES256' }) algorithm: string;

  @ApiProperty({
    enum: ['pending', 'signing', 'verifying'],
    description: 'pending: published, signs soon · signing · verifying: superseded, kept for the tokens it signed',
  })
  state: string;

  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) signs_from: string;
}

@ApiSchema({ description: 'The signing keys with their states, without private keys' })
export class SigningKeyListDto {
  @ApiProperty({ type: [SigningKeyDto] }) items: SigningKeyDto[];
}

export function signingKeyDto({ kid, usage, algorithm, state, createdAt, signsFrom }: KeyReport): SigningKeyDto {
  return { kid, usage, algorithm, state, created_at: createdAt.toISOString(), signs_from: signsFrom.toISOString() };
}
