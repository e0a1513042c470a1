import { Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import { ForClients, IssuerService } from '../../platform/http';
import { Public, ServiceController } from '../../platform/access';

@ApiSchema({ description: 'The metadata of a transmitter (OpenID Shared Signals Framework 1.0)' })
class TransmitterDto {
  @ApiProperty({ example: '1_0' }) spec_version: string;
  @ApiProperty({ example: 'https://id.example.com' }) issuer: string;
  @ApiProperty({ example: 'https://id.example.com/.well-known/jwks.json' }) jwks_uri: string;
  @ApiProperty({ type: [String], example: ['urn:ietf:rfc:8935'] }) delivery_methods_supported: readonly string[];
  @ApiProperty({ description: 'Receivers get the events of all users', example: 'ALL' }) default_subjects: string;
}

/** Streams have no endpoints here: administrators create them as webhooks. */
@ApiTags('Webhooks')
@ForClients
@ServiceController('.well-known')
export class SharedSignalsController {
  constructor(private readonly issuer: IssuerService) {}

  @Get('ssf-configuration')
  @Public()
  @Header('cache-control', 'public, max-age=300')
  @ApiOperation({
    summary: 'Get the metadata for receivers of security events',
    description:
      'OpenID Shared Signals Framework 1.0. Administrators create receivers as webhooks of the format `caep`.',
  })
  @ApiOkResponse({ type: TransmitterDto })
  metadata(): TransmitterDto {
    const { url } = this.issuer;
    return {
      spec_version: '1_0',
      issuer: url,
      jwks_uri: `${url}/.well-known/jwks.json`,
      delivery_methods_supported: ['urn:ietf:rfc:8935'],
      default_subjects: 'ALL',
    };
  }
}
