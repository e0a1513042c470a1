import { Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForClients } from '../../../platform/http';
import { ProtocolController, Public } from '../../../platform/access';
import { OidcRequestHandler } from './oidc-request.handler';
import { RfcErrors } from './rfc-responses';

@ApiTags('OAuth protocol')
@ForClients
@ProtocolController('.well-known')
export class DiscoveryController {
  constructor(private readonly handler: OidcRequestHandler) {}

  @Get('openid-configuration')
  @Public()
  @ApiOperation({ summary: 'Get the OpenID Connect metadata', description: 'OpenID Connect Discovery 1.0.' })
  @ApiOkResponse({
    description: 'The metadata: endpoints and supported features',
    schema: { type: 'object', additionalProperties: true },
  })
  @RfcErrors(400, 503)
  openid(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }

  @Get('oauth-authorization-server')
  @Public()
  @ApiOperation({ summary: 'Get the OAuth 2.0 metadata', description: 'RFC 8414.' })
  @ApiOkResponse({
    description: 'The metadata: endpoints and supported features',
    schema: { type: 'object', additionalProperties: true },
  })
  @RfcErrors(400, 503)
  oauth(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }
}
