import { Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, Authenticated, CurrentCaller } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { rbacErrors } from '../rbac';
import { OwnOrganizationListDto, ownOrganizationsDto } from './dto/own-organizations.dto';
import { OwnOrganizationsService } from './own-organizations.service';

@ApiTags('Own account')
@ApiController('auth/me/organization')
export class OwnOrganizationsController {
  constructor(private readonly organizations: OwnOrganizationsService) {}

  @Get()
  @Authenticated()
  @ApiOperation({
    summary: 'List the own organizations',
    description: 'Sorted by slug, with memberships that the caller has not accepted yet. At most 1,000.',
  })
  @ApiOkResponse({ type: OwnOrganizationListDto })
  async list(@CurrentCaller() caller: Caller): Promise<OwnOrganizationListDto> {
    return ownOrganizationsDto(await this.organizations.list(caller));
  }

  @Post(':id/accept')
  @Authenticated()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Accept a pending membership',
    description:
      'The caller becomes a member with the roles. 404 once the administrator who added the caller may no longer do so, or not with these roles.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound)
  accept(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.organizations.accept(caller, id);
  }

  @Delete(':id')
  @Authenticated()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Decline a pending membership, or leave an organization',
    description: 'The roles there are lost, and so are the groups. The last active holder of `*:*` there has to stay.',
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, rbacErrors.lastAdmin)
  leave(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.organizations.leave(caller, id);
  }
}
