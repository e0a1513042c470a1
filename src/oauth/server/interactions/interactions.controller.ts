import { Body, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { accessErrors, ApiController, Public } from '../../../platform/access';
import { contextOf } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { Language } from '../../../platform/i18n';
import { ProblemResponses } from '../../../platform/http/problems';
import { SessionAuthenticatorService } from '../../../session';
import { organizationLookDto } from '../../../organizations';
import { publicUserDto } from '../../../users';
import { ClientScopesService, PERMISSIONS_SCOPE, WordedScope } from '../clients/client-scopes.service';
import { interactionErrors } from './interaction.errors';
import { DecideDto, InteractionDto, RedirectDto } from './interaction.dto';
import { InteractionsService, RequestedInteraction } from './interactions.service';

const problems = [
  platformErrors.notFound,
  platformErrors.unauthenticated,
  interactionErrors.interactionAnswered,
  accessErrors.passwordChangeRequired,
  accessErrors.termsRequired,
  accessErrors.mfaEnrolmentRequired,
  accessErrors.actingRestricted,
];

@ApiTags('OAuth interactions')
@ApiController('oauth/interaction/:uid')
export class InteractionsController {
  constructor(
    private readonly interactions: InteractionsService,
    private readonly authenticator: SessionAuthenticatorService,
    private readonly scopes: ClientScopesService,
  ) {}

  @Get()
  @Public()
  @ApiSecurity('session')
  @ApiSecurity({})
  @ApiOperation({
    summary: 'Get the request of an application',
    description: 'For the pages `/login` and `/consent`. A consent request is shown only to its user.',
  })
  @ApiOkResponse({ type: InteractionDto })
  @ProblemResponses(...problems)
  async show(@Param('uid') uid: string, @Req() request: FastifyRequest): Promise<InteractionDto> {
    const asked = await this.interactions.find(uid, await this.authenticator.recogniseFinished(request));
    const { language, origin } = contextOf(request);
    const { client, user } = asked;
    return {
      uid,
      kind: asked.kind,
      client: { id: client.clientId, name: client.name, logo: client.logo, first_party: client.firstParty },
      scopes: await this.wordedScopes(asked, language),
      ...(user && { user: publicUserDto(user, origin.origin) }),
      organization: asked.organization ? organizationLookDto(asked.organization) : null,
    };
  }

  /** The scope `permissions` covers what the client's claims disclose, so the user sees that. */
  private async wordedScopes({ client, scopes }: RequestedInteraction, language: Language): Promise<WordedScope[]> {
    const worded = await this.scopes.inWords(scopes, language);
    if (!scopes.includes(PERMISSIONS_SCOPE)) return worded;
    const description = await this.scopes.wordsOfClaims(client.claims, language);
    return worded.map((scope) => (scope.name === PERMISSIONS_SCOPE ? { ...scope, description } : scope));
  }

  @Post()
  @Public()
  @ApiSecurity('session')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Submit the decision of the user',
    description: 'For a login, `allow` continues as the user who is logged in now.',
  })
  @ApiOkResponse({ type: RedirectDto })
  @ProblemResponses(...problems, platformErrors.reauthenticationRequired, accessErrors.loginMethodNotAccepted)
  async decide(
    @Param('uid') uid: string,
    @Body() body: DecideDto,
    @Req() request: FastifyRequest,
  ): Promise<RedirectDto> {
    return { redirect: await this.interactions.decide(uid, body, await this.authenticator.recogniseFinished(request)) };
  }
}
