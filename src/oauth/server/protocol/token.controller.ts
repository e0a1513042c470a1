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
import { ForClients } from '../../../platform/http';
import { ProtocolController, Public } from '../../../platform/access';
import { OidcRequestHandler } from './oidc-request.handler';
import { FormBody, RfcErrors, TOKEN_FORM } from './rfc-responses';

const json = { schema: { type: 'object' as const, additionalProperties: true } };

/** Routes that applications call, also from pages in browsers. */
@ApiTags('OAuth protocol')
@ForClients
@ProtocolController('api/oauth')
export class TokenController {
  constructor(private readonly handler: OidcRequestHandler) {}

  @Post('token')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @ApiOperation({
    summary: 'Exchange a code or refresh token, or get a token for the client itself',
    description:
      'RFC 6749 §3.2. A confidential client authenticates with `client_secret_basic` or `client_secret_post`.',
  })
  @FormBody(
    {
      grant_type: 'authorization_code, refresh_token or client_credentials',
      code: 'With authorization_code',
      redirect_uri: 'With authorization_code: as it was at authorize',
      code_verifier: 'With authorization_code: RFC 7636',
      refresh_token: 'With refresh_token',
      scope: 'A subset of the granted scopes',
      resource:
        '`urn:castellan:<scope>`: a service whose permissions Castellan manages (RFC 8707). Default for client credentials: ' +
        'the service to which the scopes, or without scopes all permissions of the client, belong',
      client_id: 'For a public client, or together with client_secret',
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
  @ApiOkResponse({ ...json, description: 'The tokens (RFC 6749 §5.1), and an ID token if `openid` was requested' })
  @RfcErrors(400, 401, 429, 503)
  token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }

  @Post('revoke')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({ summary: 'Revoke a token', description: 'RFC 7009. An unknown token is not an error.' })
  @FormBody(...TOKEN_FORM)
  @ApiOkResponse({ description: 'The token is revoked or was unknown. The response has no body' })
  @RfcErrors(400, 401, 503)
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }

  @Post('par')
  @Public()
  @ApiSecurity('client')
  @ApiSecurity({})
  @ApiOperation({ summary: 'Push an authorization request', description: 'RFC 9126, while setting `oauth.par` is on.' })
  @FormBody({ client_id: 'Id of the client', redirect_uri: 'A registered URI', scope: 'As for authorize' }, [], {
    request: {
      client_id: 'as-it-was-registered',
      redirect_uri: 'https://reports.example.com/callback',
      scope: 'openid profile',
    },
  })
  @ApiCreatedResponse({
    description: 'The `request_uri` for `authorize`, and its lifetime in seconds',
    schema: { type: 'object', additionalProperties: true },
  })
  @ApiNotFoundResponse({ description: 'The setting is off' })
  @RfcErrors(400, 401, 429, 503)
  push(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answerPushed(request, reply);
  }

  @Get('userinfo')
  @Public()
  @ApiSecurity('oauth')
  @ApiOperation({ summary: 'Get the user of an access token', description: 'OpenID Connect Core §5.3.' })
  @ApiOkResponse({ ...json, description: 'The claims that the scopes of the token allow' })
  @RfcErrors(400, 401, 403, 503)
  userinfo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }

  @Post('userinfo')
  @Public()
  @ApiSecurity('oauth')
  @ApiOperation({ summary: 'Get the user of an access token by POST' })
  @ApiOkResponse({ ...json, description: 'The claims that the scopes of the token allow' })
  @RfcErrors(400, 401, 403, 503)
  userinfoByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }

  @Get('jwks')
  @Public()
  // As for the URL of all keys.
  @Header('cache-control', 'public, max-age=30')
  @ApiOperation({
    summary: 'Get the public signing keys for OAuth clients',
    description: 'A subset of `/.well-known/jwks.json`.',
  })
  @ApiOkResponse({ description: 'A JSON Web Key Set (RFC 7517)', content: { 'application/jwk-set+json': json } })
  @RfcErrors(400, 503)
  jwks(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answer(request, reply);
  }
}
