import { Delete, Get, HttpCode, Param } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  accessErrors,
  ApiController,
  CurrentCaller,
  RequireRecentLogin,
  Authenticated,
} from '../../../platform/access';
import type { Caller } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { IdPipe } from '../../../platform/http/input';
import { ProblemResponses } from '../../../platform/http/problems';
import { usersErrors } from '../../../users';
import { identityDto, IdentityListDto } from './dto/identity.dto';
import { IdentitiesService } from './identities.service';
import { IdentityRemovalService } from './identity-removal.service';

@ApiTags('Third-party login')
@ApiController('auth/identities')
export class IdentitiesController {
  constructor(
    private readonly identities: IdentitiesService,
    private readonly removal: IdentityRemovalService,
  ) {}

  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'List the third-party accounts linked to your account' })
  @ApiOkResponse({ type: IdentityListDto })
  async list(@CurrentCaller() caller: Caller): Promise<IdentityListDto> {
    return { items: (await this.identities.list(caller.userId)).map(identityDto) };
  }

  @Delete(':id')
  @Authenticated()
  @RequireRecentLogin()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Unlink a third-party account',
    description: 'The last login method of the account cannot be removed.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, usersErrors.lastCredential, accessErrors.loginMethodNotAccepted)
  unlink(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.removal.unlink(id, caller);
  }
}
