import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit';
import { EventFeedModule } from '../feed';
import { RepositoriesModule } from '../../platform/database';
import { Feature } from '../../platform/feature';
import { RbacModule } from '../../rbac';
import { SessionModule } from '../../session';
import { UsersModule } from '../../users';
import { SecurityEventsService } from './security-events.service';
import { SharedSignalsController } from './shared-signals.controller';
import { WebhookAuthorityService } from './webhook-authority.service';
import { WebhookDeliveriesController } from './webhook-deliveries.controller';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookDelivery } from './webhook-delivery.entity';
import { WebhookDeliveryRepository } from './webhook-delivery.repository';
import { WebhookDisablingService } from './webhook-disabling.service';
import { WebhookDispatcherService } from './webhook-dispatcher.service';
import { WebhookInputService } from './webhook-input.service';
import { WebhookMetricsJob } from './webhook-metrics.job';
import { WebhookQueueService } from './webhook-queue.service';
import { WebhookResealingService } from './webhook-resealing.service';
import { WebhookRetentionJob } from './webhook-retention.job';
import { WebhookSecretsService } from './webhook-secrets.service';
import { WebhookSenderService } from './webhook-sender.service';
import { Webhook } from './webhook.entity';
import { WebhookRepository } from './webhook.repository';
import { WebhooksController } from './webhooks.controller';
import { WebhooksService } from './webhooks.service';

/** Delivers events to other systems over HTTP. */
@Module({
  imports: [
    RepositoriesModule.forFeature([Webhook, WebhookDelivery]),
    AuditModule,
    EventFeedModule,
    UsersModule,
    RbacModule,
    SessionModule,
  ],
  controllers: [WebhooksController, WebhookDeliveriesController, SharedSignalsController],
  providers: [
    SecurityEventsService,
    WebhookAuthorityService,
    WebhookDeliveriesService,
    WebhookDeliveryRepository,
    WebhookDisablingService,
    WebhookDispatcherService,
    WebhookInputService,
    WebhookMetricsJob,
    WebhookQueueService,
    WebhookRepository,
    WebhookResealingService,
    WebhookRetentionJob,
    WebhookSecretsService,
    WebhookSenderService,
    WebhooksService,
  ],
})
export class WebhooksModule {}

export const webhooksFeature: Feature = {
  module: WebhooksModule,
  entities: [Webhook, WebhookDelivery],
  tags: { Webhooks: 'Events delivered to other systems' },
};
