import { Body, Get, HttpCode, Post, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, RequirePermission } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { RequireKnownOrigin } from '../platform/http';
import { ProblemResponses } from '../platform/http/problems';
import { rbacErrors, userPermissions } from '../rbac';
import { AccountBatchService } from './account-batch.service';
import { StatusChangeDto } from './dto/admin-user.dto';
import { CONTAINMENT, ExportUsersDto, SetStatusDto } from './dto/user-input.dto';
import { UserExportService } from './user-export.service';

const CSV = 'text/csv; charset=utf-8';

@ApiTags('User administration')
@ApiController('user')
@RequirePermission(userPermissions.administer)
export class UserBatchesController {
  constructor(
    private readonly batches: AccountBatchService,
    private readonly exports: UserExportService,
  ) {}

  @Post('batch/status')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Disable or enable many users',
    description: `All or none. Disabling ends their sessions. Not for the own account and not for the last administrator. ${CONTAINMENT}`,
  })
  @ApiOkResponse({ type: StatusChangeDto })
  @ProblemResponses(accessErrors.escalationDenied, rbacErrors.lastAdmin)
  async setStatus(@Body() body: SetStatusDto, @CurrentCaller() caller: Caller): Promise<StatusChangeDto> {
    return { changed: await this.batches.setStatus(caller, body.user_ids, body.status) };
  }

  @Get('export')
  @RequireKnownOrigin()
  @ApiOperation({
    summary: 'Export users as CSV',
    description:
      'Those that match the filter, newest first, at most 100,000, or those with the ids. UTF-8 with a byte order mark. An ' +
      'apostrophe before a cell keeps spreadsheets from running it as a formula. Audited.',
  })
  @ApiProduces('text/csv')
  @ApiOkResponse({ schema: { type: 'string' }, description: 'One user per line, after a line with the columns' })
  @ProblemResponses(platformErrors.csrfRejected)
  async export(@Query() query: ExportUsersDto): Promise<StreamableFile> {
    const disposition = 'attachment; filename="users.csv"';
    return new StreamableFile(await this.exports.export(query), { type: CSV, disposition });
  }
}
