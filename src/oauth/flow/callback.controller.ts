import { Body, Get, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authErrors } from '../../auth';
import { accessErrors, ApiController, Public } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { ActingGet, FormPost, isForm } from '../../platform/http';
import { IgnoreUnknownNames, TextField } from '../../platform/input';
import { ProblemResponses } from '../../platform/problems';
import { lockoutErrors, SessionCookies } from '../../session';
import { oauthErrors } from '../oauth.errors';
import { providerErrors } from '../providers';
import { CallbackAnswers, CallbackFilter } from './callback-answers';
import { CallbackService } from './callback.service';
import { CallbackAnswerDto, CallbackDto } from './dto/callback.dto';
import { LoginStart } from './login-start';
import { LoginStates } from './login-states';

class StartQuery {
  @TextField({
    description: 'Where to go then: an own path, or an address of an allowed origin',
    max: 2_000,
    optional: true,
  })
  redirect?: string;
}

const refusals = [
  accessErrors.passwordChangeRequired,
  accessErrors.mfaEnrolmentRequired,
  oauthErrors.stateInvalid,
  oauthErrors.identityTaken,
  providerErrors.providerDenied,
  providerErrors.providerFailed,
  authErrors.userDisabled,
  authErrors.defaultRoleUnavailable,
  lockoutErrors.accountLocked,
  platformErrors.rateLimited,
];

@ApiTags('Third-party login')
@ApiController('oauth')
export class CallbackController {
  constructor(
    private readonly starts: LoginStart,
    private readonly callbacks: CallbackService,
    private readonly answers: CallbackAnswers,
    private readonly states: LoginStates,
    private readonly sessionCookies: SessionCookies,
  ) {}

  @Get('login/:name')
  @Public()
  @ActingGet()
  @ApiOperation({ summary: 'Go to a provider to log in' })
  @ApiFoundResponse({ description: 'To the provider' })
  @ProblemResponses(
    platformErrors.validationFailed,
    platformErrors.notFound,
    platformErrors.rateLimited,
    providerErrors.providerFailed,
  )
  async logIn(
    @Param('name') name: string,
    @Query() { redirect }: StartQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const address = await this.starts.begin({ name, redirect }, request, reply);
    await reply.redirect(address.href, 302);
  }

  @Get('callback/:name')
  @Public()
  @ActingGet()
  @IgnoreUnknownNames()
  @UseFilters(CallbackFilter)
  @ApiOperation({
    summary: 'Come back from a provider',
    description:
      'A browser is sent on: to where it wanted to go, to `/bind`, or to `/error?code=`. With `Accept: application/json` ' +
      'the answer is JSON.',
  })
  @ApiOkResponse({ type: CallbackAnswerDto })
  @ApiFoundResponse({ description: 'Where the browser goes on' })
  @ProblemResponses(...refusals)
  async comeBack(
    @Param('name') name: string,
    @Query() query: CallbackDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answers.send(await this.callbacks.complete(name, query, request), request, reply);
  }

  @Post('callback/:name')
  @Public()
  @FormPost()
  @IgnoreUnknownNames()
  @UseFilters(CallbackFilter)
  @ApiConsumes('application/json', 'application/x-www-form-urlencoded')
  @ApiBody({ type: CallbackDto })
  @ApiOperation({
    summary: 'Come back from a provider that answers by a form, or hand over what it sent',
    description: 'JSON is answered in JSON; a form is a browser on its way, and sent on.',
  })
  @ApiOkResponse({ type: CallbackAnswerDto })
  @ApiFoundResponse({ description: 'Where the browser goes on' })
  @ProblemResponses(...refusals)
  async receive(
    @Param('name') name: string,
    @Body() body: CallbackDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (await this.mustComeByItself(body, request)) {
      await reply.redirect(`${request.url.split('?', 1)[0] ?? ''}?${ownParameters(body)}`, 303);
      return;
    }
    await this.answers.send(await this.callbacks.complete(name, body, request), request, reply);
  }

  /**
   * A form of another site brings no session (SameSite=Lax), and only the session may bind. Sent on by GET, the browser
   * comes with it.
   */
  private async mustComeByItself({ state }: CallbackDto, request: FastifyRequest): Promise<boolean> {
    if (state === undefined || !isForm(request.headers['content-type'])) return false;
    if ((await this.sessionCookies.read(request, 'access')).length > 0) return false;
    return (await this.states.modeOf(state)) === 'bind';
  }
}

/** What a binding needs, as any provider would have sent it by GET; no name or other thing about the person. */
function ownParameters({ code, state, error, iss }: CallbackDto): string {
  const entries = Object.entries({ code, state, error, iss });
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => entry[1] !== undefined)).toString();
}
