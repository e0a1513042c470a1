import { Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../platform/access';
import { CursorAnswer } from '../platform/lists';
import { AuditLogService } from './audit-log.service';
import { auditPermissions } from './audit.permissions';
import { AuditEntryDto, AuditExportQueryDto, AuditListDto, AuditQueryDto } from './dto/audit.dto';

const NDJSON = 'application/x-ndjson';
const CSV = 'text/csv';

@ApiTags('Audit')
@ApiController('audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequirePermission(auditPermissions.read)
  @ApiOperation({ summary: 'List who did what', description: 'Newest first.' })
  @ApiOkResponse({ type: AuditListDto })
  list(@Query() query: AuditQueryDto): Promise<CursorAnswer<AuditEntryDto>> {
    return this.log.list(query);
  }

  @Get('export')
  @RequirePermission(auditPermissions.read)
  @ApiOperation({ summary: 'Export who did what', description: 'Newest first: one JSON object per line, or CSV.' })
  @ApiProduces(NDJSON, CSV)
  @ApiOkResponse({ schema: { type: 'string' }, description: 'One event per line' })
  async export(@Query() query: AuditExportQueryDto): Promise<StreamableFile> {
    const isCsv = query.format === 'csv';
    const disposition = `attachment; filename="audit.${isCsv ? 'csv' : 'ndjson'}"`;
    const type = isCsv ? `${CSV}; charset=utf-8` : NDJSON;
    return new StreamableFile(await this.log.export(query), { type, disposition });
  }
}
