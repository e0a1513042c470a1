import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { RepositoriesModule } from '../../platform/database';
import { replaceable } from '../../platform/host-part';
import { SettingsModule } from '../../settings';
import { MessageTemplatesModule } from '../templates/message-templates.module';
import { DeliveriesService } from './deliveries.service';
import { DeliveryLimitsService } from './delivery-limits.service';
import { DeliveryRetentionJob } from './delivery-retention.job';
import { DeliverySettingsCheck } from './delivery-settings.check';
import { Delivery } from './delivery.entity';
import { DeliveryRepository } from './delivery.repository';
import { DevInboxService } from './inbox/dev-inbox.service';
import { ConfiguredMailerService } from './mail/configured-mailer.service';
import { MailSetupService } from './mail/mail-setup.service';
import { Mailer } from './mailer';
import { MessengerService } from './messenger.service';
import { PhonePrefixAllowlistService } from './phone-prefix-allowlist.service';
import { SampleMessagesService } from './sample-messages.service';
import { SmsSender } from './sms-sender';
import { AliyunGateway } from './sms/aliyun.gateway';
import { ConfiguredSmsSenderService } from './sms/configured-sms-sender.service';
import { HttpHookGateway } from './sms/http-hook.gateway';
import { SmsGatewayRegistry } from './sms/sms-gateway.registry';
import { TencentGateway } from './sms/tencent.gateway';
import { TwilioGateway } from './sms/twilio.gateway';

/** Sends e-mails and SMS, and records their outcome. */
@Module({
  imports: [RepositoriesModule.forFeature([Delivery]), AuditModule, SettingsModule, MessageTemplatesModule],
  providers: [
    ...replaceable(Mailer, ConfiguredMailerService),
    ...replaceable(SmsSender, ConfiguredSmsSenderService),
    AliyunGateway,
    TencentGateway,
    TwilioGateway,
    HttpHookGateway,
    SmsGatewayRegistry,
    MailSetupService,
    DevInboxService,
    DeliveryLimitsService,
    DeliveryRepository,
    DeliveryRetentionJob,
    DeliverySettingsCheck,
    DeliveriesService,
    PhonePrefixAllowlistService,
    MessengerService,
    SampleMessagesService,
  ],
  exports: [
    DeliveriesService,
    DevInboxService,
    MailSetupService,
    MessengerService,
    PhonePrefixAllowlistService,
    SampleMessagesService,
  ],
})
export class DeliveryModule {}
