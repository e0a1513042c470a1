import { Injectable } from '@nestjs/common';
import { contextOf } from '../../../platform/context';
import { ProblemError } from '../../../platform/errors';
import { RateLimit, RateLimiterService } from '../../../platform/http';
import { errors, Provider } from './library';
import { requestOf } from './request';

/** Limits the protocol requests of an address, with the errors of RFC 6749. */
@Injectable()
export class ProtocolLimiterService {
  constructor(private readonly limiter: RateLimiterService) {}

  /**
   * Call it while the library handles a request.
   * @param subject counted separately for each address.
   */
  async count(limit: RateLimit, subject?: string): Promise<void> {
    const { ctx } = Provider;
    if (!ctx) return;
    const { limitKey } = contextOf(requestOf(ctx.req));
    try {
      await this.limiter.count(limit, subject === undefined ? limitKey : `${subject}|${limitKey}`);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.retryAfterSeconds === undefined) throw error;
      ctx.set('retry-after', String(Math.max(1, error.retryAfterSeconds)));
      throw Object.assign(new errors.CustomOIDCProviderError('temporarily_unavailable', 'too many requests'), {
        status: error.status,
        statusCode: error.status,
      });
    }
  }
}
