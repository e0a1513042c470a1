import { Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { eventPermissions } from '../feed';
import { ApiController, CurrentCaller, RequirePermission } from '../../platform/access';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { CursorAnswer } from '../../platform/lists';
import { ProblemResponses } from '../../platform/http/problems';
import { WebhookDeliveryDto, WebhookDeliveryListDto, WebhookDeliveryQueryDto } from './dto/webhook-delivery.dto';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { webhookPermissions } from './webhook.permissions';

@ApiTags('Webhooks')
@ApiController('webhook/:id')
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  @Get('deliveries')
  @RequirePermission(webhookPermissions.read, eventPermissions.read)
  @ApiOperation({ summary: 'List the deliveries of a webhook', description: 'Newest first. Kept for 14 days.' })
  @ApiOkResponse({ type: WebhookDeliveryListDto })
  @ProblemResponses(platformErrors.notFound)
  list(
    @Param('id', IdPipe) id: string,
    @Query() query: WebhookDeliveryQueryDto,
  ): Promise<CursorAnswer<WebhookDeliveryDto>> {
    return this.deliveries.list(id, query);
  }

  @Post('deliveries/:delivery_id/retry')
  @RequirePermission(webhookPermissions.update, eventPermissions.read)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Retry a delivery',
    description: 'In any state, with all attempts again. A disabled webhook retries it when it is enabled.',
  })
  @ApiOkResponse({ type: WebhookDeliveryDto, description: 'The delivery, with its last attempt' })
  @ProblemResponses(platformErrors.notFound)
  retry(
    @Param('id', IdPipe) id: string,
    @Param('delivery_id', IdPipe) deliveryId: string,
  ): Promise<WebhookDeliveryDto> {
    return this.deliveries.retry(id, deliveryId);
  }

  @Post('test')
  @RequirePermission(webhookPermissions.update)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send a test event',
    description:
      'An event of type `webhook.test`, once and at once, also to a disabled webhook. Shows the answer. One test of a webhook at a time.',
  })
  @ApiOkResponse({ type: WebhookDeliveryDto, description: 'The delivery, with its last attempt' })
  @ProblemResponses(platformErrors.notFound)
  test(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<WebhookDeliveryDto> {
    return this.deliveries.test(caller, id);
  }
}
