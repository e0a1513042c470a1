import { DynamicModule, Module } from '@nestjs/common';
import { HostResolver, SystemResolver } from './host-resolver';
import { Outbound } from './outbound';

/** Calls to other servers, for the modules to its right; it reads settings, whose storage is theirs. */
@Module({})
export class OutboundModule {
  static register(...imports: DynamicModule[]): DynamicModule {
    return {
      module: OutboundModule,
      imports,
      providers: [Outbound, { provide: HostResolver, useFactory: () => new SystemResolver() }],
      exports: [Outbound],
    };
  }
}
