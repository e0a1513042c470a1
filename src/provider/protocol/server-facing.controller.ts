import { HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProtocolController, Public } from '../../platform/access';
import { ProtocolGateway } from './protocol-gateway';
import { FormBody, RfcErrors } from './rfc-responses';

const TOKEN = { token: 'An access or refresh token', token_type_hint: 'Where to look first' };

/** What applications call from their servers. */
@ApiTags('OAuth protocol')
@ProtocolController('api/oauth')
export class ServerFacingController {
  constructor(private readonly gateway: ProtocolGateway) {}

  @Post('revoke')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({ summary: 'End a token', description: 'RFC 7009. One that is not known is no error.' })
  @FormBody(TOKEN, ['token'], { token: { token: 'as-it-was-given', token_type_hint: 'refresh_token' } })
  @ApiOkResponse({ description: 'Done, or there was nothing to end; nothing is answered' })
  @RfcErrors(400, 401, 503)
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answer(request, reply);
  }

  @Post('introspect')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({ summary: 'Ask what a token of one’s own is', description: 'RFC 7662. Of others: `active: false`.' })
  @FormBody(TOKEN, ['token'], { token: { token: 'as-it-was-given', token_type_hint: 'refresh_token' } })
  @ApiOkResponse({
    description: 'Whether the token is `active`; of one that is, whose it is and until when',
    schema: { type: 'object', additionalProperties: true },
  })
  @RfcErrors(400, 401, 503)
  introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answer(request, reply);
  }

  @Post('par')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @ApiOperation({ summary: 'Push an authorization request', description: 'RFC 9126, while setting `oauth.par` is on.' })
  @FormBody({ client_id: 'Of the client', redirect_uri: 'As registered', scope: 'As at authorize' }, [], {
    request: {
      client_id: 'as-it-was-registered',
      redirect_uri: 'https://reports.example.com/callback',
      scope: 'openid profile',
    },
  })
  @ApiCreatedResponse({
    description: 'The `request_uri` to go to `authorize` with, and the seconds it is good for',
    schema: { type: 'object', additionalProperties: true },
  })
  @ApiNotFoundResponse({ description: 'The setting is off' })
  @RfcErrors(400, 401, 429, 503)
  push(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerPushed(request, reply);
  }
}
