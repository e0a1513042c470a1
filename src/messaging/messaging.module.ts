import { Module } from '@nestjs/common';
import { AuditModule } from '../audit';
import { RepositoriesModule } from '../platform/database';
import { Feature } from '../platform/feature';
import { replaceable } from '../platform/host-part';
import { SettingsModule } from '../settings';
import { UsersModule } from '../users';
import {
  AliyunGateway,
  ConfiguredMailerService,
  ConfiguredSmsSenderService,
  DeliveriesService,
  Delivery,
  DeliveryController,
  DeliveryLimitsService,
  DeliveryRepository,
  DeliveryRetentionJob,
  DeliverySettingsCheck,
  DevInboxService,
  DevInboxController,
  HttpHookGateway,
  Mailer,
  MailSetupService,
  MessengerService,
  PhonePrefixAllowlistService,
  SmsGatewayRegistry,
  SmsSender,
  TencentGateway,
  TwilioGateway,
} from './delivery';
import { NoticesService } from './notices';
import {
  DefaultTemplatesService,
  MessageTemplateAdminService,
  MessageTemplateController,
  MessageTemplateRepository,
  MessageTemplatesService,
  MessageTemplateVersion,
  SampleMessagesService,
  StoredTemplateCache,
} from './templates';

const delivery = [
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
];

const templates = [
  DefaultTemplatesService,
  MessageTemplateRepository,
  StoredTemplateCache,
  MessageTemplatesService,
  MessageTemplateAdminService,
  SampleMessagesService,
];

/** E-mail and SMS: templates, delivery, and notices to users of changes to their accounts. */
@Module({
  imports: [
    RepositoriesModule.forFeature([Delivery, MessageTemplateVersion]),
    AuditModule,
    SettingsModule,
    UsersModule,
  ],
  controllers: [DeliveryController, DevInboxController, MessageTemplateController],
  providers: [...delivery, ...templates, NoticesService],
  exports: [MailSetupService, MessengerService, PhonePrefixAllowlistService, SampleMessagesService],
})
export class MessagingModule {}

export const messagingFeature: Feature = {
  module: MessagingModule,
  entities: [Delivery, MessageTemplateVersion],
  tags: {
    'Message templates': 'The texts of e-mails and SMS, by language',
    Messages: 'E-mails and SMS with their outcome',
  },
};
