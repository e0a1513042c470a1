import { Get, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../platform/access';
import { CursorAnswer } from '../platform/lists';
import { AuditLogService } from './audit-log.service';
import { auditPermissions } from './audit.permissions';
import { AuditEventDto, AuditExportQueryDto, AuditListDto, AuditQueryDto } from './dto/audit.dto';

const NDJSON = 'application/x-ndjson';

@ApiTags('Audit')
@ApiController('audit')
export class AuditController {
  constructor(private readonly log: AuditLogService) {}

  @Get()
  @RequirePermission(auditPermissions.read)
  @ApiOperation({ summary: 'List who did what', description: 'Newest first.' })
  @ApiOkResponse({ type: AuditListDto })
  list(@Query() query: AuditQueryDto): Promise<CursorAnswer<AuditEventDto>> {
    return this.log.list(query);
  }

  @Get('export')
  @RequirePermission(auditPermissions.read)
  @ApiOperation({ summary: 'Export who did what', description: 'Newest first, one JSON object per line.' })
  @ApiProduces(NDJSON)
  @ApiOkResponse({ schema: { type: 'string' }, description: 'One item of the list per line' })
  async export(@Query() query: AuditExportQueryDto): Promise<StreamableFile> {
    const disposition = 'attachment; filename="audit.ndjson"';
    return new StreamableFile(await this.log.export(query), { type: NDJSON, disposition });
  }
}
