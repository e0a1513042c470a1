import { Get, Res } from '@nestjs/common';
import {
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiSchema,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { HealthRoute } from '../../platform/http';
import { Public, ServiceController } from '../../platform/access';
import { ReadinessService, ReadinessDto } from './readiness.service';

@ApiSchema({ description: 'The process is running' })
class LivenessDto {
  @ApiProperty({ enum: ['ok'] }) status: string;
}

@ApiTags('Operation')
@HealthRoute
@ServiceController('health')
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  @Get('live')
  @Public()
  @ApiOperation({ summary: 'The process is running' })
  @ApiOkResponse({ type: LivenessDto })
  live(): LivenessDto {
    return { status: 'ok' };
  }

  @Get('ready')
  @Public()
  @ApiOperation({ summary: 'The service is ready for requests' })
  @ApiOkResponse({ type: ReadinessDto })
  @ApiServiceUnavailableResponse({ type: ReadinessDto })
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<ReadinessDto> {
    const report = await this.readiness.check();
    void reply.code(report.status === 'unavailable' ? 503 : 200);
    return report;
  }
}
