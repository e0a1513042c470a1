import { Body, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { accessErrors, ApiController, Public } from '../../../platform/access';
import { contextOf } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { ProblemResponses } from '../../../platform/problems';
import { SessionAuthenticatorService } from '../../../session';
import { publicUserDto } from '../../../users';
import { ClientScopesService } from '../clients/client-scopes.service';
import { authorizationServerErrors } from '../authorization-server.errors';
import { DecideDto, InteractionDto, RedirectDto } from './interaction.dto';
import { InteractionsService } from './interactions.service';

const refusals = [
  platformErrors.notFound,
  platformErrors.unauthenticated,
  authorizationServerErrors.interactionAnswered,
  accessErrors.passwordChangeRequired,
  accessErrors.mfaEnrolmentRequired,
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
    summary: 'What an application asks for',
    description: 'For the pages `/login` and `/consent`; a consent is shown to the user alone who is asked for it.',
  })
  @ApiOkResponse({ type: InteractionDto })
  @ProblemResponses(...refusals)
  async show(@Param('uid') uid: string, @Req() request: FastifyRequest): Promise<InteractionDto> {
    const asked = await this.interactions.find(uid, await this.authenticator.recogniseFinished(request));
    const { language, origin } = contextOf(request);
    const { client, user } = asked;
    return {
      uid,
      kind: asked.kind,
      client: { id: client.clientId, name: client.name, logo: client.logo, first_party: client.firstParty },
      scopes: [...(await this.scopes.inWords(asked.scopes, language))],
      ...(user && { user: publicUserDto(user, origin.origin) }),
    };
  }

  @Post()
  @Public()
  @ApiSecurity('session')
  @ApiSecurity({})
  @HttpCode(200)
  @ApiOperation({
    summary: 'Say what the user decided',
    description: 'At a login, `allow` goes on as whoever is logged in now.',
  })
  @ApiOkResponse({ type: RedirectDto })
  @ProblemResponses(...refusals, platformErrors.reauthenticationRequired)
  async decide(
    @Param('uid') uid: string,
    @Body() body: DecideDto,
    @Req() request: FastifyRequest,
  ): Promise<RedirectDto> {
    return { redirect: await this.interactions.decide(uid, body, await this.authenticator.recogniseFinished(request)) };
  }
}
