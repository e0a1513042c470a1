import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { AccessPorts, WriteLimit } from './platform/access';
import { adminWritesPerMinutePerUser, RateLimiter } from './platform/http';
import { Permissions } from './rbac';
import { SessionAuthenticator } from './session';

const LIMIT = { setting: adminWritesPerMinutePerUser, windowSeconds: 60 };

@Injectable()
class AdminWriteLimit extends WriteLimit {
  constructor(private readonly limiter: RateLimiter) {
    super();
  }

  count(userId: string): Promise<void> {
    return this.limiter.count(LIMIT, userId);
  }
}

/** Gives the access guard its ports, where sessions, grants and limits are all in sight. */
@Injectable()
class AccessBinding {
  constructor(
    ports: AccessPorts,
    authenticator: SessionAuthenticator,
    permissions: Permissions,
    writeLimit: AdminWriteLimit,
  ) {
    ports.bind({ authenticator, permissions, writeLimit });
  }
}

@Module({})
export class AccessModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return { module: AccessModule, imports, providers: [AdminWriteLimit, AccessBinding] };
  }
}
