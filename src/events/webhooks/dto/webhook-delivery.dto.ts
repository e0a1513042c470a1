import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { FeedEventDto } from '../../feed';
import { deliveryStates } from '../../../platform/outbound/deliveries';
import type { DeliveryState } from '../../../platform/outbound/deliveries';
import { ChoiceField } from '../../../platform/http/input';
import { CursorPageOf, CursorQueryDto } from '../../../platform/lists';
import { WebhookDelivery } from '../webhook-delivery.entity';

export class WebhookDeliveryQueryDto extends CursorQueryDto {
  @ChoiceField({
    description: 'Only deliveries in this state. `failed`: given up after the last attempt',
    options: deliveryStates,
    optional: true,
  })
  state?: DeliveryState;
}

export class WebhookDeliveryDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({ type: FeedEventDto, description: 'The body of the request' }) event: FeedEventDto;
  @ApiProperty({ enum: deliveryStates }) state: DeliveryState;
  @ApiProperty({ type: 'integer', example: 1 }) attempts: number;
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'The last attempt' })
  attempted_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'null: none is planned' })
  next_attempt_at: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Status of the last answer', example: 204 })
  status: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'The beginning of the last answer', example: 'ok' })
  answer: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why there was no usable answer, such as `unreachable`, `timed_out` or `address_refused`',
    example: 'timed_out',
  })
  error: string | null;
}

@ApiSchema({ description: 'Deliveries, newest first, and the cursor of the next page' })
export class WebhookDeliveryListDto extends CursorPageOf(WebhookDeliveryDto) {}

export const webhookDeliveryDto = (delivery: WebhookDelivery): WebhookDeliveryDto => ({
  id: delivery.id,
  at: delivery.at.toISOString(),
  event: JSON.parse(delivery.payload) as FeedEventDto,
  state: delivery.state,
  attempts: delivery.attempts,
  attempted_at: delivery.attemptedAt?.toISOString() ?? null,
  next_attempt_at: delivery.state === 'pending' ? delivery.nextAt.toISOString() : null,
  status: delivery.status,
  answer: delivery.answer,
  error: delivery.error,
});
