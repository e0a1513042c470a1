import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { AccessPorts, WriteLimit } from './platform/access';
import { SecondFactorStandings } from './mfa';
import { adminWritesPerMinutePerUser, RateLimiter } from './platform/http';
import { MachineTokens } from './provider';
import { Permissions } from './rbac';
import { SessionAuthenticator } from './session';

const LIMIT = { setting: adminWritesPerMinutePerUser, windowSeconds: 60 };

@Injectable()
class AdminWriteLimit extends WriteLimit {
  constructor(private readonly limiter: RateLimiter) {
    super();
  }

  count(subject: string): Promise<void> {
    return this.limiter.count(LIMIT, subject);
  }
}

/** Gives the access guard its ports, where sessions, grants and limits are all in sight. */
@Injectable()
class AccessBinding {
  constructor(
    ports: AccessPorts,
    authenticator: SessionAuthenticator,
    machines: MachineTokens,
    permissions: Permissions,
    writeLimit: AdminWriteLimit,
    secondFactors: SecondFactorStandings,
  ) {
    ports.bind({ authenticator, machines, permissions, writeLimit, secondFactors });
  }
}

@Module({})
export class AccessModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return { module: AccessModule, imports, providers: [AdminWriteLimit, AccessBinding] };
  }
}
