import { HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProtocolController, Public } from '../../../platform/access';
import { OidcRequestHandler } from './oidc-request.handler';
import { FormBody, RfcErrors, TOKEN_FORM } from './rfc-responses';

/** Routes that only servers of applications call, because they require a secret. */
@ApiTags('OAuth protocol')
@ProtocolController('api/oauth')
export class IntrospectionController {
  constructor(private readonly handler: OidcRequestHandler) {}

  @Post('introspect')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Introspect a token',
    description:
      'RFC 7662. A client can introspect its own opaque tokens, and access tokens of its `introspection_resources`. The response for others is `active: false`.',
  })
  @FormBody(...TOKEN_FORM)
  @ApiOkResponse({
    description: 'Whether the token is `active`. For an active token also its user and expiry',
    schema: { type: 'object', additionalProperties: true },
  })
  @RfcErrors(400, 401, 503)
  introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }
}
