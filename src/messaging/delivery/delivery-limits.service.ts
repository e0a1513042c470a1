import { Injectable } from '@nestjs/common';

/** Timeouts for calls to providers, in milliseconds. */
@Injectable()
export class DeliveryLimitsService {
  /** To connect. */
  readonly connectMs: number = 2_500;
  /** For the whole call. */
  readonly totalMs: number = 5_000;
}
