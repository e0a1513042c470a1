import { Injectable } from '@nestjs/common';

/** How long providers are waited for, in milliseconds. */
@Injectable()
export class DeliveryLimitsService {
  /** For a connection. */
  readonly connectMs: number = 2_500;
  /** For all of it. */
  readonly totalMs: number = 5_000;
}
