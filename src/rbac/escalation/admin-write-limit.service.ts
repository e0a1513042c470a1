import { Injectable } from '@nestjs/common';
import { WriteLimit } from '../../platform/access';
import { RateLimiterService } from '../../platform/http';
import { adminWritesPerMinutePerUser } from '../grants/rbac.settings';

const LIMIT = { setting: adminWritesPerMinutePerUser, windowSeconds: 60 };

/** Limits the administrative writes of a caller to a number per minute. */
@Injectable()
export class AdminWriteLimitService extends WriteLimit {
  constructor(private readonly limiter: RateLimiterService) {
    super();
  }

  count(subject: string): Promise<void> {
    return this.limiter.count(LIMIT, subject);
  }
}
