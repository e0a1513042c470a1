import { Injectable } from '@nestjs/common';
import { DatabaseWatch, isDatabaseBusy } from '../database';
import { Log } from '../logging';
import { Metrics } from '../metrics';

/** Tells operators why a request failed, in whatever form it was answered. */
@Injectable()
export class FailureLog {
  constructor(
    private readonly log: Log,
    private readonly database: DatabaseWatch,
    private readonly metrics: Metrics,
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
