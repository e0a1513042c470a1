import { Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { ApiController, CurrentCaller, InOrganization, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { RequireKnownOrigin } from '../../platform/http';
import { CursorAnswer } from '../../platform/lists';
import { ProblemResponses } from '../../platform/http/problems';
import { AuditAccessService } from './audit-access.service';
import { AuditLogService } from './audit-log.service';
import { auditPermissions } from './audit.permissions';
import { AuditEntryDto, AuditExportQueryDto, AuditListDto, AuditQueryDto } from './dto/audit.dto';

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

const THERE =
  'Who holds `audit:read` in an organization only must name it by `organization_id` and by the header. A request of theirs ' +
  'with a further filter, but without `from`, reaches back 90 days before `to` or now.';

@ApiTags('Audit')
@ApiController('audit')
@InOrganization()
export class AuditController {
  constructor(
    private readonly access: AuditAccessService,
    private readonly log: AuditLogService,
  ) {}

  @Get()
  @RequirePermission(auditPermissions.read)
  @ApiOperation({ summary: 'List who did what', description: `Newest first. ${THERE}` })
  @ApiOkResponse({ type: AuditListDto })
  @ProblemResponses(platformErrors.notFound)
  async list(@Query() query: AuditQueryDto, @CurrentCaller() caller: Caller): Promise<CursorAnswer<AuditEntryDto>> {
    return this.log.list(query, await this.access.viewFor(caller, query.organization_id));
  }

  @Get('export')
  @RequireKnownOrigin()
  @RequirePermission(auditPermissions.read)
  @ApiOperation({
    summary: 'Export who did what',
    description: `Newest first: one JSON object per line, or CSV. ${THERE}`,
  })
  @ApiProduces(NDJSON, CSV)
  @ApiOkResponse({ schema: { type: 'string' }, description: 'One event per line' })
  @ProblemResponses(platformErrors.csrfRejected, platformErrors.notFound)
  async export(@Query() query: AuditExportQueryDto, @CurrentCaller() caller: Caller): Promise<StreamableFile> {
    const view = await this.access.viewFor(caller, query.organization_id);
    const isCsv = query.format === 'csv';
    const disposition = `attachment; filename="audit.${isCsv ? 'csv' : 'ndjson'}"`;
    const type = isCsv ? `${CSV}; charset=utf-8` : NDJSON;
    return new StreamableFile(await this.log.export(query, view), { type, disposition });
  }
}
