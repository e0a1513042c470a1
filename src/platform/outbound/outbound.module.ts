import { Module } from '@nestjs/common';
import { HostResolver, SystemResolver } from './host-resolver';
import { OutboundClient } from './outbound.client';

/** Calls to other servers, for the feature modules. It reads settings, which a feature module stores. */
@Module({
  providers: [OutboundClient, { provide: HostResolver, useFactory: () => new SystemResolver() }],
  exports: [OutboundClient],
})
export class OutboundModule {}
