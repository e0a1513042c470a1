import { Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { ForClients } from '../platform/http';
import { Public, ServiceController } from '../platform/access';
import { SigningKeysService } from './keys/signing-keys.service';

@ApiSchema({ description: 'A JSON Web Key Set (RFC 7517)' })
class JwksDto {
  @ApiProperty({
    type: [Object],
    description: 'Public keys, RFC 7517',
    example: [{ kty: 'EC', crv: 'P-256', kid: 'the-id-of-a-key', alg: 'ES256', use: 'sig', x: '…', y: '…' }],
  })
  keys: object[];
}

@ApiTags('Keys')
@ForClients
@ServiceController('.well-known')
export class JwksController {
  constructor(private readonly keys: SigningKeysService) {}

  @Get('jwks.json')
  @Public()
  // Less than the minute between publishing a key and its first signature.
  @Header('cache-control', 'public, max-age=30')
  @ApiOperation({ summary: 'Public signing keys' })
  @ApiOkResponse({ type: JwksDto })
  jwks(): Promise<JwksDto> {
    return this.keys.jwks();
  }
}
