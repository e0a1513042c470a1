import { Module } from '@nestjs/common';
import { SessionModule } from '../../../session';
import { OAuthEngineModule } from '../engine/oauth-engine.module';
import { OidcRequestHandler } from './oidc-request.handler';

/** Hands requests of the protocol to the library. */
@Module({
  imports: [SessionModule, OAuthEngineModule],
  providers: [OidcRequestHandler],
  exports: [OidcRequestHandler],
})
export class OAuthProtocolModule {}
