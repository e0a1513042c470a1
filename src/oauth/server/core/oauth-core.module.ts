import { Module } from '@nestjs/common';
import { ProtocolLimiterService } from './protocol-limiter.service';

/** What the parts of the authorization server share: the library, requests, lifetimes, limits and settings. */
@Module({
  providers: [ProtocolLimiterService],
  exports: [ProtocolLimiterService],
})
export class OAuthCoreModule {}
