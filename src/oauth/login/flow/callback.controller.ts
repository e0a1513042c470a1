import { Body, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authErrors, LoginCookiesService } from '../../../auth';
import { accessErrors, ApiController, Public } from '../../../platform/access';
import { platformErrors } from '../../../platform/errors';
import { RejectHead, FormPost, isForm, keepOpener } from '../../../platform/http';
import { IgnoreUnknownNames, TextField } from '../../../platform/http/input';
import { ProblemResponses } from '../../../platform/http/problems';
import { loginErrors } from '../../../auth/login';
import { SessionCookiesService } from '../../../session';
import { usersErrors } from '../../../users';
import { oauthErrors } from '../third-party-login.errors';
import { authorizationServerErrors } from '../providers';
import { CallbackResponsesService } from './callback-responses.service';
import { CallbackFilter } from './callback.filter';
import { CallbackService } from './callback.service';
import { CallbackAnswerDto, CallbackDto } from './dto/callback.dto';
import { LoginStartService } from './login-start.service';
import { AuthorizationRequestStore } from './authorization-request.store';

class StartQuery {
  @TextField({
    description: 'Where the browser goes at the end: a path of this service, or a URL of an allowed origin',
    max: 2_000,
    optional: true,
  })
  redirect?: string;
}

const problems = [
  accessErrors.passwordChangeRequired,
  accessErrors.termsRequired,
  accessErrors.mfaEnrolmentRequired,
  accessErrors.loginMethodNotAccepted,
  oauthErrors.stateInvalid,
  oauthErrors.emailDomainNotAllowed,
  oauthErrors.emailMismatch,
  oauthErrors.identityTaken,
  authorizationServerErrors.providerDenied,
  authorizationServerErrors.providerFailed,
  usersErrors.userDisabled,
  authErrors.defaultRoleUnavailable,
  loginErrors.accountLocked,
  platformErrors.rateLimited,
];

@ApiTags('Third-party login')
@ApiController('oauth')
export class CallbackController {
  constructor(
    private readonly starts: LoginStartService,
    private readonly callbacks: CallbackService,
    private readonly answers: CallbackResponsesService,
    private readonly states: AuthorizationRequestStore,
    private readonly sessionCookies: SessionCookiesService,
    private readonly logins: LoginCookiesService,
  ) {}

  @Get('login/:name')
  @Public()
  @RejectHead()
  @ApiOperation({ summary: 'Start a login at a provider' })
  @ApiFoundResponse({ description: 'Redirect to the provider' })
  @ProblemResponses(
    platformErrors.validationFailed,
    platformErrors.notFound,
    platformErrors.rateLimited,
    authorizationServerErrors.providerFailed,
  )
  async logIn(
    @Param('name') name: string,
    @Query() { redirect }: StartQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const address = await this.starts.begin({ name, redirect }, request, reply);
    keepOpener(reply);
    await reply.redirect(address.href, 302);
  }

  @Get('callback/:name')
  @Public()
  @RejectHead()
  @IgnoreUnknownNames()
  @UseFilters(CallbackFilter)
  @ApiOperation({
    summary: 'Receive the callback of a provider',
    description:
      'Redirects browsers to the requested page, to `/bind`, or to `/error?code=`. Returns JSON to clients with ' +
      '`Accept: application/json`.',
  })
  @ApiOkResponse({ type: CallbackAnswerDto })
  @ApiFoundResponse({ description: 'Redirect to the next page' })
  @ProblemResponses(...problems)
  async comeBack(
    @Param('name') name: string,
    @Query() query: CallbackDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    keepOpener(reply);
    await this.finish(name, query, request, reply);
  }

  @Post('callback/:name')
  @Public()
  @FormPost()
  @IgnoreUnknownNames()
  @UseFilters(CallbackFilter)
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiBody({ type: CallbackDto })
  @ApiOperation({
    summary: 'Receive the callback of a provider as a form POST, or from a client as JSON',
    description: 'Returns JSON for a JSON body. Redirects the browser after a form POST.',
  })
  @ApiOkResponse({ type: CallbackAnswerDto })
  @ApiFoundResponse({ description: 'Redirect to the next page' })
  @ProblemResponses(...problems)
  async receive(
    @Param('name') name: string,
    @Body() body: CallbackDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    keepOpener(reply);
    if (await this.mustComeByItself(body, request)) {
      await reply.redirect(`${request.url.split('?', 1)[0] ?? ''}?${ownParameters(body)}`, 303);
      return;
    }
    await this.finish(name, body, request, reply);
  }

  private async finish(name: string, input: CallbackDto, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const origin = await this.logins.originOf(request);
    await this.answers.send(await this.callbacks.complete(name, input, request, origin), request, reply);
  }

  /**
   * A form POST from another site has no session cookie (SameSite=Lax), but linking requires the session. A redirect to
   * GET makes the browser send the cookie.
   */
  private async mustComeByItself({ state }: CallbackDto, request: FastifyRequest): Promise<boolean> {
    if (state === undefined || !isForm(request.headers['content-type'])) return false;
    if ((await this.sessionCookies.read(request, 'access')).length > 0) return false;
    return (await this.states.modeOf(state)) === 'bind';
  }
}

/** The parameters for linking, as a provider would send them by GET. They contain nothing about the user. */
function ownParameters({ code, state, error, iss }: CallbackDto): string {
  const entries = Object.entries({ code, state, error, iss });
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();
}
