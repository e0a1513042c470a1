import { Body, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, Public } from '../../../platform/access';
import { contextOf } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { ProblemResponses } from '../../../platform/http/problems';
import { LoginAddressesService, oauthProviderInfoDto } from '../providers';
import { IdentifierAnswerDto, IdentifierDto } from './dto/identifier.dto';
import { IdentifierLookupService } from './identifier-lookup.service';

@ApiTags('Third-party login')
@ApiController('auth')
export class IdentifierController {
  constructor(
    private readonly lookup: IdentifierLookupService,
    private readonly addresses: LoginAddressesService,
  ) {}

  @Post('identify')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Find the login provider for an identifier',
    description:
      'For login pages that ask for the identifier first. Depends on the domain of an e-mail address only, and does not reveal whether there is an account.',
  })
  @ApiOkResponse({ type: IdentifierAnswerDto })
  @ProblemResponses(platformErrors.rateLimited)
  async identify(@Body() { identifier }: IdentifierDto, @Req() request: FastifyRequest): Promise<IdentifierAnswerDto> {
    const provider = await this.lookup.find(identifier, contextOf(request).limitKey);
    return { provider: provider ? oauthProviderInfoDto(provider, this.addresses.start(provider.name)) : null };
  }
}
