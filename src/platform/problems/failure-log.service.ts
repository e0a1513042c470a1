import { Injectable } from '@nestjs/common';
import { DatabaseHealthMonitor, isDatabaseBusy } from '../database';
import { Log } from '../logging';
import { MetricsService } from '../metrics';

/** Tells operators why a request failed, in whatever form it was answered. */
@Injectable()
export class FailureLogService {
  constructor(
    private readonly log: Log,
    private readonly database: DatabaseHealthMonitor,
    private readonly metrics: MetricsService,
  ) {}

  /** Nobody foresaw it. */
  defect(error: unknown, requestId: string): void {
    this.log.error('A request failed by a defect', { request_id: requestId, err: error });
  }

  /** The request was refused for now. A database that is away is one state, told once, not a failure of each request. */
  unavailable(error: unknown, requestId: string): void {
    if (isDatabaseBusy(error)) this.metrics.countBusyRefusal();
    const level = this.database.takes(error) ? 'debug' : 'warn';
    this.log[level]('A request was refused: unavailable', { request_id: requestId, err: error });
  }
}
