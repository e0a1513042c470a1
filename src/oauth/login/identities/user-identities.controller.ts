import { Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../../../platform/access';
import { platformErrors } from '../../../platform/errors';
import { IdPipe } from '../../../platform/http/input';
import { ProblemResponses } from '../../../platform/http/problems';
import { userPermissions } from '../../../rbac';
import { identityDto, IdentityListDto } from './dto/identity.dto';
import { IdentitiesService } from './identities.service';

@ApiTags('User administration')
@ApiController('user/:id/identities')
export class UserIdentitiesController {
  constructor(private readonly identities: IdentitiesService) {}

  @Get()
  @RequirePermission(userPermissions.administer)
  @ApiOperation({ summary: 'List the third-party accounts linked to a user' })
  @ApiOkResponse({ type: IdentityListDto })
  @ProblemResponses(platformErrors.notFound)
  async list(@Param('id', IdPipe) id: string): Promise<IdentityListDto> {
    return { items: (await this.identities.listOf(id)).map(identityDto) };
  }
}
