import { Module } from '@nestjs/common';
import { HostResolver, SystemResolver } from './host-resolver';
import { OutboundClient } from './outbound.client';

/** Calls to other servers, for the modules to its right; it reads settings, whose storage is theirs. */
@Module({
  providers: [OutboundClient, { provide: HostResolver, useFactory: () => new SystemResolver() }],
  exports: [OutboundClient],
})
export class OutboundModule {}
