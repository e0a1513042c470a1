import { Body, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, Public } from '../../platform/access';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/problems';
import { SessionAuthenticator } from '../../session';
import { publicUserDto } from '../../users';
import { ClientScopes } from '../clients/client-scopes';
import { DecideDto, InteractionDto, RedirectDto } from './interaction.dto';
import { Interactions } from './interactions.service';

@ApiTags('OAuth interactions')
@ApiController('oauth/interaction/:uid')
export class InteractionsController {
  constructor(
    private readonly interactions: Interactions,
    private readonly authenticator: SessionAuthenticator,
    private readonly scopes: ClientScopes,
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
  @ProblemResponses(platformErrors.notFound, platformErrors.unauthenticated)
  async show(@Param('uid') uid: string, @Req() request: FastifyRequest): Promise<InteractionDto> {
    const asked = await this.interactions.find(uid, await this.authenticator.recognise(request));
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
  @ProblemResponses(platformErrors.notFound, platformErrors.unauthenticated, platformErrors.reauthenticationRequired)
  async decide(
    @Param('uid') uid: string,
    @Body() body: DecideDto,
    @Req() request: FastifyRequest,
  ): Promise<RedirectDto> {
    return { redirect: await this.interactions.decide(uid, body, await this.authenticator.recognise(request)) };
  }
}
