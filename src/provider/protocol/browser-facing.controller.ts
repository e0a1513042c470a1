import { Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProtocolController, Public } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { ActingGet, FormPost } from '../../platform/http';
import { ProblemResponses } from '../../platform/problems';
import { ProtocolGateway } from './protocol-gateway';
import { FormBody, PageErrors } from './rfc-responses';
import { turnToGet } from './turned-form';

const Asked = (names: readonly string[]): MethodDecorator[] =>
  names.map((name) => ApiQuery({ name, required: false, type: String }));

const Posted = (names: readonly string[]): MethodDecorator =>
  FormBody(Object.fromEntries(names.map((name) => [name, 'As in the address'])));

const authorizeNames = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'request_uri',
];
const logoutNames = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'];
const formErrors = [
  platformErrors.validationFailed,
  platformErrors.payloadTooLarge,
  platformErrors.unsupportedMediaType,
];

function All(decorators: readonly MethodDecorator[]): MethodDecorator {
  return (target, key, descriptor) => {
    for (const decorate of decorators) decorate(target, key, descriptor);
  };
}

/** Where applications send their users' browsers. */
@ApiTags('OAuth protocol')
@ProtocolController('api/oauth')
export class BrowserFacingController {
  constructor(private readonly gateway: ProtocolGateway) {}

  @Get('authorize')
  @Public()
  @ActingGet()
  @All(Asked(authorizeNames))
  @ApiOperation({
    summary: 'Ask for a login and for consent',
    description:
      'RFC 6749 §3.1 with PKCE S256, always. Sends the browser to `/login` or `/consent` with `interaction`, and then back to the application.',
  })
  @ApiResponse({ status: 302, description: 'To a page of this service, or back to the application' })
  @PageErrors(400, 429, 503)
  authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerBrowser(request, reply);
  }

  @Post('authorize')
  @Public()
  @FormPost()
  @Posted(authorizeNames)
  @ApiOperation({
    summary: 'The same by POST',
    description: 'OpenID Connect Core §3.1.2.1. The browser is sent to the same by GET, with which its session comes.',
  })
  @ApiResponse({ status: 303, description: 'To the same address, with the form as its query' })
  @ProblemResponses(...formErrors)
  async authorizeByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await turnToGet(request, reply);
  }

  @Get('authorize/:uid')
  @Public()
  @ActingGet()
  @ApiOperation({ summary: 'Go on after a page', description: 'Where `POST /api/oauth/interaction/{uid}` sends to.' })
  @ApiResponse({ status: 302, description: 'To the next page, or back to the application' })
  @PageErrors(400, 429, 503)
  resume(@Param('uid') uid: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.resume(uid, request, reply);
  }

  @Get('logout')
  @Public()
  @ActingGet()
  @All(Asked(logoutNames))
  @ApiOperation({
    summary: 'Log out from an application’s side',
    description: 'OpenID Connect RP-Initiated Logout 1.0.',
  })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  @PageErrors(400, 429, 503)
  logout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerBrowser(request, reply);
  }

  @Post('logout')
  @Public()
  @FormPost()
  @Posted(logoutNames)
  @ApiOperation({
    summary: 'The same by POST',
    description: 'As with `authorize`; nothing ends before the user says so.',
  })
  @ApiResponse({ status: 303, description: 'To the same address, with the form as its query' })
  @ProblemResponses(...formErrors)
  async logoutByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await turnToGet(request, reply);
  }

  @Post('logout/confirm')
  @Public()
  @ApiOperation({ summary: 'The answer to the question of the logout page' })
  @ApiResponse({ status: 303, description: 'Back to the application, or to the page that says it is done' })
  @PageErrors(400, 429, 503)
  confirmLogout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerBrowser(request, reply);
  }

  @Get('logout/success')
  @Public()
  @ApiOperation({ summary: 'The page that says it is done' })
  @ApiOkResponse({ content: { 'text/html': { schema: { type: 'string' } } } })
  @PageErrors(400)
  loggedOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerBrowser(request, reply);
  }
}
