import { Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, RequirePermission } from '../../platform/access';
import { contextOf } from '../../platform/context';
import { settingPermissions } from '../../settings';
import { DiagnosticsDto, DiagnosticsQueryDto } from './diagnostics.dto';
import { DiagnosticsService } from './diagnostics.service';

@ApiTags('Service')
@ApiController('doctor')
export class DiagnosticsController {
  constructor(private readonly doctor: DiagnosticsService) {}

  @Get()
  @RequirePermission(settingPermissions.read)
  @ApiOperation({
    summary: 'Check the deployment of the service',
    description: 'How this request arrived, the cookies and URLs that result, and the findings of the checks.',
  })
  @ApiOkResponse({ type: DiagnosticsDto })
  show(@Query() query: DiagnosticsQueryDto, @Req() request: FastifyRequest): Promise<DiagnosticsDto> {
    const context = contextOf(request);
    const { headers, socket } = request.raw;
    const seen = {
      origin: context.origin.origin,
      secure: context.origin.secure,
      clientIp: context.ip,
      peer: socket.remoteAddress ?? '',
      headers,
      browserOrigin: query.browser_origin,
    };
    return this.doctor.examine(seen, context.language);
  }
}
