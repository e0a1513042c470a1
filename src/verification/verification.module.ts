import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { MessagingModule } from '../messaging';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import { CodeRateLimitsService } from './code-rate-limits.service';
import { CodeBrowsersService } from './code-browsers.service';
import { CodeChannelRegistry } from './code-channel.registry';
import { CodeCleanupJob } from './code-cleanup.job';
import { CodeDayService } from './code-day.service';
import { CodeDeliveryService } from './code-delivery.service';
import { CodeDigestService } from './code-digest.service';
import { CodeProofsService } from './code-proofs.service';
import { CodePurposeRegistry } from './code-purpose.registry';
import { CodeTargetsService } from './code-targets.service';
import { CodeTargetRepository } from './code-target.repository';
import { CodeRepository } from './code.repository';
import { CodesController } from './codes.controller';
import { CodesGuard } from './codes.guard';
import { CodesService } from './codes.service';
import { PendingCodesService } from './pending-codes.service';
import { TestMessagesController } from './test-messages.controller';
import { TestMessagesService } from './test-messages.service';
import { CodeLimitsCheck } from './code-limits.check';
import { TimeZoneCheck } from './time-zone.check';
import { VerificationCode } from './verification-code.entity';
import { VerificationTarget } from './verification-target.entity';

/** Codes that verify a contact. */
@Module({
  imports: [
    RepositoriesModule.forFeature([VerificationCode, VerificationTarget]),
    AuditModule,
    SettingsModule,
    UsersModule,
    MessagingModule,
  ],
  controllers: [CodesController, TestMessagesController],
  providers: [
    CodeRepository,
    CodeTargetRepository,
    CodeDigestService,
    CodeDayService,
    TimeZoneCheck,
    CodeLimitsCheck,
    CodeBrowsersService,
    CodeRateLimitsService,
    CodeCleanupJob,
    CodesGuard,
    CodeChannelRegistry,
    CodePurposeRegistry,
    CodeTargetsService,
    CodeDeliveryService,
    CodesService,
    PendingCodesService,
    CodeProofsService,
    TestMessagesService,
  ],
  exports: [
    CodeBrowsersService,
    CodeChannelRegistry,
    CodePurposeRegistry,
    CodeTargetsService,
    CodesService,
    CodeProofsService,
    PendingCodesService,
  ],
})
export class VerificationModule {}

export const verificationFeature: Feature = {
  module: VerificationModule,
  entities: [VerificationCode, VerificationTarget],
};
