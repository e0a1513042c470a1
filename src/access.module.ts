import { DynamicModule, Injectable, Module } from '@nestjs/common';
import { AccessPorts } from './platform/access';
import { Permissions } from './rbac';
import { SessionAuthenticator } from './session';

/** Gives the access guard its two ports, where sessions and grants are both in sight. */
@Injectable()
class AccessBinding {
  constructor(ports: AccessPorts, authenticator: SessionAuthenticator, permissions: Permissions) {
    ports.bind(authenticator, permissions);
  }
}

@Module({})
export class AccessModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return { module: AccessModule, imports, providers: [AccessBinding] };
  }
}
