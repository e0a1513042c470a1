import { Injectable } from '@nestjs/common';
import { DatabaseHealthMonitor, isDatabaseBusy } from '../../database';
import { Log } from '../../logging';
import { MetricsService } from '../../metrics';

/** Logs why requests failed, whatever the form of the response. */
@Injectable()
export class FailureLogService {
  constructor(
    private readonly log: Log,
    private readonly database: DatabaseHealthMonitor,
    private readonly metrics: MetricsService,
  ) {}

  /** Logs an unexpected error. */
  defect(error: unknown, requestId: string): void {
    this.log.error('A request failed with an unexpected error', { request_id: requestId, err: error });
  }

  /**
   * Logs a rejection with 503. An unreachable database is reported once by the health monitor, not for each request.
   */
  unavailable(error: unknown, requestId: string): void {
    if (isDatabaseBusy(error)) this.metrics.countBusyRejection();
    const level = this.database.takes(error) ? 'debug' : 'warn';
    this.log[level]('A request was rejected: unavailable', { request_id: requestId, err: error });
  }
}
