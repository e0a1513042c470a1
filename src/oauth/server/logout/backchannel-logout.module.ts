import { Module } from '@nestjs/common';
import { OAuthStorageModule } from '../storage/oauth-storage.module';
import { OAuthEngineModule } from '../engine/oauth-engine.module';
import { BackchannelLogoutOutboxService } from './backchannel-logout-outbox.service';
import { BackchannelLogoutSenderService } from './backchannel-logout-sender.service';
import { BackchannelLogoutService } from './backchannel-logout.service';
import { LogoutMetricsJob } from './logout-metrics.job';
import { SessionsEndedListener } from './sessions-ended.listener';

/** Ends the tokens of ended sessions and notifies clients. */
@Module({
  imports: [OAuthStorageModule, OAuthEngineModule],
  providers: [
    BackchannelLogoutOutboxService,
    BackchannelLogoutSenderService,
    BackchannelLogoutService,
    SessionsEndedListener,
    LogoutMetricsJob,
  ],
})
export class BackchannelLogoutModule {}
