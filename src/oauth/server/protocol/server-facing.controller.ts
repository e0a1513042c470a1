import { HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProtocolController, Public } from '../../../platform/access';
import { OidcRequestHandler } from './oidc-request-handler';
import { FormBody, RfcErrors, TOKEN_FORM } from './rfc-responses';

/** What applications call from their servers alone: it needs a secret. */
@ApiTags('OAuth protocol')
@ProtocolController('api/oauth')
export class ServerFacingController {
  constructor(private readonly gateway: OidcRequestHandler) {}

  @Post('introspect')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Ask what a token is',
    description:
      'RFC 7662. A client asks about its own opaque tokens, and about access tokens of its `introspection_resources`. Of others: `active: false`.',
  })
  @FormBody(...TOKEN_FORM)
  @ApiOkResponse({
    description: 'Whether the token is `active`; of one that is, whose it is and until when',
    schema: { type: 'object', additionalProperties: true },
  })
  @RfcErrors(400, 401, 503)
  introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answer(request, reply);
  }
}
