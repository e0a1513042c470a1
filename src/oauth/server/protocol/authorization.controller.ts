import { Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProtocolController, Public } from '../../../platform/access';
import { platformErrors } from '../../../platform/errors';
import { RejectHead, FormPost } from '../../../platform/http';
import { ProblemResponses } from '../../../platform/http/problems';
import { OidcRequestHandler } from './oidc-request.handler';
import { FormBody, PageErrors } from './rfc-responses';
import { redirectToGet } from './redirect-to-get';

type Parameters = Readonly<Record<string, string>>;

const QueryParameters = (parameters: Parameters): MethodDecorator[] =>
  Object.entries(parameters).map(([name, description]) =>
    ApiQuery({ name, description, required: false, type: String }),
  );

const FormParameters = (parameters: Parameters, example: Parameters): MethodDecorator =>
  FormBody(Object.fromEntries(Object.keys(parameters).map((name) => [name, 'As in the query'])), [], {
    request: example,
  });

const authorizeParameters = {
  client_id: 'The `client_id` of the application',
  response_type: '`code`',
  redirect_uri: 'The redirect URI. Must equal a registered one exactly',
  scope: 'Requested scopes, separated by spaces, such as `openid profile`',
  state: 'Returned unchanged, for the application to compare',
  nonce: 'Returned in the ID token (OpenID Connect Core §3.1.2.1)',
  prompt:
    '`none`, `login`, `consent`, `select_account` or, alone and while registration is open, `create`; other values are ignored',
  max_age: 'Maximum age of the login in seconds. An older login must be repeated',
  code_challenge: 'SHA-256 of the verifier, base64url (RFC 7636)',
  code_challenge_method: '`S256`',
  resource: '`urn:castellan:<scope>`: a service whose permissions Castellan manages (RFC 8707)',
  organization:
    'Slug or id of the organization that the tokens are for. Requires the scope `organization`; not needed for a member of one only',
  request_uri: 'From the response of `POST /api/oauth/par`. Only `client_id` is needed beside it',
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
  id_token_hint: 'An ID token of the user that was issued to the application',
  client_id: 'The `client_id` of the application',
  post_logout_redirect_uri: 'Where the browser goes afterwards. Must equal a registered URI exactly',
  state: 'Returned unchanged',
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

/** Routes to which applications send the browsers of their users. */
@ApiTags('OAuth protocol')
@ProtocolController('api/oauth')
export class AuthorizationController {
  constructor(private readonly handler: OidcRequestHandler) {}

  @Get('authorize')
  @Public()
  @RejectHead()
  @All(QueryParameters(authorizeParameters))
  @ApiOperation({
    summary: 'Start an authorization request',
    description:
      'RFC 6749 §3.1, with PKCE S256 unless the client has `require_pkce: false`. Redirects the browser to `/login` or `/consent` with `interaction`, and then back to the application.',
  })
  @ApiResponse({ status: 302, description: 'Redirect to a page of this service, or back to the application' })
  @PageErrors(400, 429, 503)
  authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answerBrowser(request, reply);
  }

  @Post('authorize')
  @Public()
  @FormPost()
  @FormParameters(authorizeParameters, authorizeExample)
  @ApiOperation({
    summary: 'Start an authorization request by POST',
    description: 'OpenID Connect Core §3.1.2.1. Redirects to GET, so that the browser sends its session cookie.',
  })
  @ApiResponse({ status: 303, description: 'Redirect to the same URL with the form as query' })
  @ProblemResponses(...formErrors)
  async authorizeByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await redirectToGet(request, reply);
  }

  @Get('authorize/:uid')
  @Public()
  @RejectHead()
  @ApiOperation({
    summary: 'Continue an authorization request',
    description:
      'The target of `POST /api/oauth/interaction/{uid}`. Continues only the interaction in the cookie of this path, once.',
  })
  @ApiResponse({ status: 302, description: 'Redirect to the next page, or back to the application' })
  @PageErrors(400, 429, 503)
  resume(@Param('uid') _uid: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answerBrowser(request, reply);
  }

  @Get('logout')
  @Public()
  @RejectHead()
  @All(QueryParameters(logoutParameters))
  @ApiOperation({
    summary: 'Log out from an application',
    description: 'OpenID Connect RP-Initiated Logout 1.0.',
  })
  @ApiOkResponse({
    description: 'A page that asks the user to confirm the logout',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  @PageErrors(400, 429, 503)
  logout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answerBrowser(request, reply);
  }

  @Post('logout')
  @Public()
  @FormPost()
  @FormParameters(logoutParameters, logoutExample)
  @ApiOperation({
    summary: 'Log out from an application by POST',
    description: 'Redirects to GET, as `authorize` does. Nothing ends before the user confirms.',
  })
  @ApiResponse({ status: 303, description: 'Redirect to the same URL with the form as query' })
  @ProblemResponses(...formErrors)
  async logoutByPost(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await redirectToGet(request, reply);
  }

  @Post('logout/confirm')
  @Public()
  @ApiOperation({ summary: 'Submit the logout confirmation page' })
  @ApiResponse({ status: 303, description: 'Redirect to the application, or to the page that confirms the logout' })
  @PageErrors(400, 429, 503)
  confirmLogout(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answerBrowser(request, reply);
  }

  @Get('logout/success')
  @Public()
  @ApiOperation({ summary: 'Show that the logout is done' })
  @ApiOkResponse({
    description: 'A page that confirms the logout',
    content: { 'text/html': { schema: { type: 'string' } } },
  })
  @PageErrors(400)
  loggedOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.handler.answerBrowser(request, reply);
  }
}
