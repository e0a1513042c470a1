import { Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HealthRoute, isForwarded, LOOPBACK, ProxyTrust } from '../../platform/http';
import { Public, ServiceController } from '../../platform/access';
import { Environment } from '../../platform/config';
import { contextOf } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { MetricsService } from '../../platform/metrics';

@ApiTags('Operation')
@HealthRoute
@ServiceController('metrics')
export class MetricsController {
  private readonly allowed: ProxyTrust;

  constructor(
    environment: Environment,
    private readonly metrics: MetricsService,
  ) {
    this.allowed = ProxyTrust.parse(environment.metricsAllow);
  }

  @Get()
  @Public()
  @ApiOperation({
    summary: 'Metrics for Prometheus',
    description:
      'Only for peers that are loopback or in METRICS_ALLOW. A forwarded request also needs an address in METRICS_ALLOW that is not loopback.',
  })
  @ApiProduces('text/plain')
  @ApiOkResponse({ description: 'The metrics, in the text format of Prometheus', schema: { type: 'string' } })
  @ProblemResponses(platformErrors.notFound)
  async read(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    if (!this.mayRead(request)) throw platformErrors.notFound();
    void reply.header('content-type', this.metrics.contentType);
    return this.metrics.text();
  }

  /** A peer address cannot be forged, but a forwarded address can: it must not allow more than the peer. */
  private mayRead(request: FastifyRequest): boolean {
    const peer = request.socket.remoteAddress;
    if (!LOOPBACK.trusts(peer) && !this.allowed.trusts(peer)) return false;
    if (!isForwarded(request.headers)) return true;
    const { ip } = contextOf(request);
    return !LOOPBACK.trusts(ip) && this.allowed.trusts(ip);
  }
}
