import { Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Operation, Public, ServiceController } from '../access';
import { Environment } from '../config';
import { contextOf } from '../context';
import { platformErrors } from '../errors';
import { LOOPBACK, ProxyTrust } from '../http';
import { ProblemResponses } from '../problems';
import { Metrics } from '../metrics';

@ApiTags('Operation')
@Operation
@ServiceController('metrics')
export class MetricsController {
  private readonly allowed: ProxyTrust;

  constructor(
    environment: Environment,
    private readonly metrics: Metrics,
  ) {
    this.allowed = ProxyTrust.parse(environment.metricsAllow);
  }

  @Get()
  @Public()
  @ApiOperation({
    summary: 'Metrics for Prometheus',
    description: 'Only for loopback and the addresses of METRICS_ALLOW.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'The metrics, in the text format of Prometheus', schema: { type: 'string' } })
  @ProblemResponses(platformErrors.notFound)
  async read(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const { ip } = contextOf(request);
    if (!LOOPBACK.trusts(ip) && !this.allowed.trusts(ip)) throw platformErrors.notFound();
    void reply.header('content-type', this.metrics.contentType);
    return this.metrics.text();
  }
}
