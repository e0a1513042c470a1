import { Module } from '@nestjs/common';
import { CollectorClient } from './collector.client';
import { HostResolver, SystemResolver } from './host-resolver';
import { OutboundClient } from './outbound.client';

/** Calls to other servers, for the feature modules. It reads settings, which a feature module stores. */
@Module({
  providers: [CollectorClient, OutboundClient, { provide: HostResolver, useFactory: () => new SystemResolver() }],
  exports: [CollectorClient, OutboundClient],
})
export class OutboundModule {}
