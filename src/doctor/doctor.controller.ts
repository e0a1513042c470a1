import { Get, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, RequirePermission } from '../platform/access';
import { contextOf } from '../platform/context';
import { settingPermissions } from '../settings';
import { DoctorDto, DoctorQueryDto } from './doctor.dto';
import { Doctor } from './doctor.service';

@ApiTags('Service')
@ApiController('doctor')
export class DoctorController {
  constructor(private readonly doctor: Doctor) {}

  @Get()
  @RequirePermission(settingPermissions.read)
  @ApiOperation({
    summary: 'Look at what is set up around the service',
    description: 'How this very request arrived, what follows for cookies and addresses, and what does not fit.',
  })
  @ApiOkResponse({ type: DoctorDto })
  show(@Query() query: DoctorQueryDto, @Req() request: FastifyRequest): Promise<DoctorDto> {
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
