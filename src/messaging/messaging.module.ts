import { Module } from '@nestjs/common';
import { Feature } from '../platform/feature';
import { Delivery, DeliveryController, DeliveryModule, DevInboxController } from './delivery';
import { NoticesModule } from './notices';
import { MessageTemplateController, MessageTemplatesModule, MessageTemplateVersion } from './templates';

/** E-mail and SMS: templates, delivery, and notices to users of changes to their accounts. */
@Module({
  imports: [MessageTemplatesModule, DeliveryModule, NoticesModule],
  controllers: [DeliveryController, DevInboxController, MessageTemplateController],
  exports: [DeliveryModule],
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
