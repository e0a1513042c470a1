import { Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProtocolController, Public } from '../../../platform/access';
import { platformErrors } from '../../../platform/errors';
import { RejectHead, FormPost } from '../../../platform/http';
import { ProblemResponses } from '../../../platform/problems';
import { OidcRequestHandler } from './oidc-request-handler';
import { FormBody, PageErrors } from './rfc-responses';
import { redirectToGet } from './redirect-to-get';

type Parameters = Readonly<Record<string, string>>;

const Asked = (parameters: Parameters): MethodDecorator[] =>
  Object.entries(parameters).map(([name, description]) =>
    ApiQuery({ name, description, required: false, type: String }),
  );

const Posted = (parameters: Parameters, example: Parameters): MethodDecorator =>
  FormBody(Object.fromEntries(Object.keys(parameters).map((name) => [name, 'As in the address'])), [], {
    request: example,
  });

const authorizeParameters = {
  client_id: 'The application, as it was registered',
  response_type: '`code`',
  redirect_uri: 'Where the browser goes back to: one of those registered, to the letter',
  scope: 'What is asked for, parted by spaces, such as `openid profile`',
  state: 'Comes back as it is; the application compares it',
  nonce: 'Comes back in the id token (OpenID Connect Core §3.1.2.1)',
  prompt: '`none`, `login` or `consent`',
  max_age: 'Most seconds since the login; one longer ago is asked for anew',
  code_challenge: 'SHA-256 of the verifier, base64url (RFC 7636)',
  code_challenge_method: '`S256`',
  resource: '`urn:castellan:<scope>`: a service whose permissions Castellan keeps (RFC 8707)',
  request_uri: 'As `POST /api/oauth/par` answered; the others but `client_id` were given there',
};
const authorizeExample = {
  client_id: 'as-it-was-registered',
  response_type: 'code',
  redirect_uri: 'https://reports.example.com/callback',
  scope: 'openid profile',
  state: 'as-the-application-made-it',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
const logoutParameters = {
  id_token_hint: 'An id token that the application was given for the user',
  client_id: 'The application, as it was registered',
  post_logout_redirect_uri: 'Where the browser goes then: one of those registered, to the letter',
  state: 'Comes back as it is',
};
const logoutExample = {
  client_id: 'as-it-was-registered',
  post_logout_redirect_uri: 'https://reports.example.com/',
};
const formErrors = [
  platformErrors.validationFailed,
  platformErrors.hostRejected,
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
  constructor(private readonly gateway: OidcRequestHandler) {}

  @Get('authorize')
  @Public()
  @RejectHead()
  @All(Asked(authorizeParameters))
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
  @Posted(authorizeParameters, authorizeExample)
  @ApiOperation({
    summary: 'The same by POST',
    description: 'OpenID Connect Core §3.1.2.1. The browser is sent to the same by GET, with which its session comes.',
  })
  @ApiResponse({ status: 303, description: 'To the same address, with the form as its query' })
  @ProblemResponses(...formErrors)
  async authorizeByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await redirectToGet(request, reply);
  }

  @Get('authorize/:uid')
  @Public()
  @RejectHead()
  @ApiOperation({
    summary: 'Go on after a page',
    description:
      'Where `POST /api/oauth/interaction/{uid}` sends to. Only the interaction that the cookie of this path names goes on, once.',
  })
  @ApiResponse({ status: 302, description: 'To the next page, or back to the application' })
  @PageErrors(400, 429, 503)
  resume(@Param('uid') _uid: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerBrowser(request, reply);
  }

  @Get('logout')
  @Public()
  @RejectHead()
  @All(Asked(logoutParameters))
  @ApiOperation({
    summary: 'Log out from an application’s side',
    description: 'OpenID Connect RP-Initiated Logout 1.0.',
  })
  @ApiOkResponse({
    description: 'A page that asks whether to log out here, too',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  @PageErrors(400, 429, 503)
  logout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerBrowser(request, reply);
  }

  @Post('logout')
  @Public()
  @FormPost()
  @Posted(logoutParameters, logoutExample)
  @ApiOperation({
    summary: 'The same by POST',
    description: 'As with `authorize`; nothing ends before the user says so.',
  })
  @ApiResponse({ status: 303, description: 'To the same address, with the form as its query' })
  @ProblemResponses(...formErrors)
  async logoutByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await redirectToGet(request, reply);
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
  @ApiOkResponse({
    description: 'A page that says that the logout is done',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  @PageErrors(400)
  loggedOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.gateway.answerBrowser(request, reply);
  }
}
