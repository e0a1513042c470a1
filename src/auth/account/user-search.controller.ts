import { Body, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import {
  AllowWhileActing,
  ApiController,
  CurrentCallerOrClient,
  AllowClients,
  Authenticated,
} from '../../platform/access';
import type { Caller, OAuthClientPrincipal } from '../../platform/context';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { SearchUsersDto } from './dto/account.dto';
import { publicUserDto, PublicUserInfoDto } from '../../users';
import { UserSearchService } from './user-search.service';

@ApiTags('Users')
@ApiController('auth/users')
export class UserSearchController {
  constructor(private readonly users: UserSearchService) {}

  @Post()
  @Authenticated()
  @AllowWhileActing()
  @AllowClients()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Look up users',
    description: 'By ids, by the prefix of a name, or both. OAuth clients may call it with any scope.',
  })
  @ApiOkResponse({
    type: [PublicUserInfoDto],
    description: 'The public fields of the users found',
  })
  @ProblemResponses(platformErrors.rateLimited)
  async search(
    @Body() body: SearchUsersDto,
    @CurrentCallerOrClient() caller: Caller | OAuthClientPrincipal,
    @Req() request: FastifyRequest,
  ): Promise<PublicUserInfoDto[]> {
    const { origin } = contextOf(request).origin;
    const users = await this.users.search(caller, body);
    return users.map((user) => publicUserDto(user, origin));
  }
}
