import { Get, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForClients, ProtocolController, Public } from '../../../platform/access';
import { OidcRequestHandler } from './oidc-request-handler';
import { FormBody, RfcErrors, TOKEN_FORM } from './rfc-responses';

const json = { schema: { type: 'object' as const, additionalProperties: true } };

/** What applications call, from a browser's page too. */
@ApiTags('OAuth protocol')
@ForClients
@ProtocolController('api/oauth')
export class ClientFacingController {
  constructor(private readonly gateway: OidcRequestHandler) {}

  @Post('token')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @ApiOperation({
    summary: 'Exchange a code or refresh token, or get a token for the client itself',
    description:
      'RFC 6749 §3.2. The client authenticates with `client_secret_basic`, `client_secret_post` or, being public, not at all.',
  })
  @FormBody(
    {
      grant_type: 'authorization_code, refresh_token or client_credentials',
      code: 'With authorization_code',
      redirect_uri: 'With authorization_code: as it was at authorize',
      code_verifier: 'With authorization_code: RFC 7636',
      refresh_token: 'With refresh_token',
      scope: 'Fewer than were granted',
      resource: '`urn:castellan:<scope>`: a service whose permissions Castellan keeps (RFC 8707)',
      client_id: 'Of a public client, or beside client_secret',
      client_secret: 'client_secret_post',
    },
    ['grant_type'],
    {
      authorization_code: {
        grant_type: 'authorization_code',
        code: 'as-it-came-in-the-address',
        redirect_uri: 'https://reports.example.com/callback',
        code_verifier: 'forty-three-to-a-hundred-and-twenty-eight-characters',
        client_id: 'as-it-was-registered',
      },
      refresh_token: {
        grant_type: 'refresh_token',
        refresh_token: 'as-it-was-given',
        client_id: 'as-it-was-registered',
      },
      client_credentials: { grant_type: 'client_credentials', resource: 'urn:castellan:crm' },
    },
  )
  @ApiOkResponse({ ...json, description: 'The tokens (RFC 6749 §5.1), and an id token where `openid` was asked for' })
  @RfcErrors(400, 401, 429, 503)
  token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answer(request, reply);
  }

  @Post('revoke')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({ summary: 'End a token', description: 'RFC 7009. One that is not known is no error.' })
  @FormBody(...TOKEN_FORM)
  @ApiOkResponse({ description: 'Done, or there was nothing to end; nothing is answered' })
  @RfcErrors(400, 401, 503)
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
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

  @Get('userinfo')
  @Public()
  @ApiSecurity('oauth')
  @ApiOperation({ summary: 'Who the user of an access token is', description: 'OpenID Connect Core §5.3.' })
  @ApiOkResponse({ ...json, description: 'The claims that the scopes of the token allow' })
  @RfcErrors(400, 401, 403, 503)
  userinfo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answer(request, reply);
  }

  @Post('userinfo')
  @Public()
  @ApiSecurity('oauth')
  @ApiOperation({ summary: 'The same by POST' })
  @ApiOkResponse({ ...json, description: 'The claims that the scopes of the token allow' })
  @RfcErrors(400, 401, 403, 503)
  userinfoByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answer(request, reply);
  }

  @Get('jwks')
  @Public()
  // As at the address of all keys.
  @Header('cache-control', 'public, max-age=30')
  @ApiOperation({
    summary: 'Public halves of the keys that sign for OAuth clients',
    description: 'A part of what `/.well-known/jwks.json` has.',
  })
  @ApiOkResponse({ description: 'A JSON Web Key Set (RFC 7517)', content: { 'application/jwk-set+json': json } })
  @RfcErrors(400, 503)
  jwks(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answer(request, reply);
  }
}
