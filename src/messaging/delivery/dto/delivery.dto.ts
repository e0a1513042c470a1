import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IdField, TextField, TimeField } from '../../../platform/http/input';
import { CursorPageOf, CursorQueryDto } from '../../../platform/lists';
import { deliveryOutcomes, messageChannels, messagePurposes } from '../../message/message';
import type { DeliveryOutcome, MessageChannel, MessagePurpose } from '../../message/message';
import { Delivery } from '../delivery.entity';

export class DeliveryQueryDto extends CursorQueryDto {
  @ChoiceField({ description: 'Only this channel', options: messageChannels, optional: true }) channel?: MessageChannel;
  @ChoiceField({ description: 'Only messages with this purpose', options: messagePurposes, optional: true })
  purpose?: MessagePurpose;
  @ChoiceField({ description: 'Only messages with this outcome', options: deliveryOutcomes, optional: true })
  outcome?: DeliveryOutcome;

  @TextField({ description: 'Only messages sent through this provider', max: 32, optional: true, example: 'aliyun' })
  provider?: string;

  @IdField({ description: "Only messages to this user's contacts", optional: true }) user_id?: string;

  @TextField({
    description: 'Only to this full e-mail address or phone number (E.164). Includes others with the same masked form',
    max: 254,
    optional: true,
  })
  target?: string;

  @TimeField({ description: 'Only at or after this time', optional: true }) from?: string;
  @TimeField({ description: 'Only before this time', optional: true }) to?: string;
}

const TEXT = { type: String, nullable: true } as const;

export class DeliveryDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({ enum: messageChannels }) channel: string;
  @ApiProperty({ enum: messagePurposes }) purpose: string;
  @ApiProperty({ description: 'Masked', example: 'a***@example.com' }) target: string;
  @ApiProperty({ ...TEXT, description: 'null: not called yet', example: 'smtp' }) provider: string | null;
  @ApiProperty({
    enum: deliveryOutcomes,
    description:
      'Result at the provider. unknown: the message may have been sent, or is being sent, and is not retried',
  })
  outcome: string;

  @ApiProperty({ ...TEXT, example: 'a1b2c3d4' }) provider_message_id: string | null;
  @ApiProperty({
    ...TEXT,
    description: "The provider's code, or the reason why it could not be called",
    example: '250',
  })
  provider_code: string | null;

  @ApiProperty({ ...TEXT, description: 'Number of messages that the provider bills, if it reports it', example: '2' })
  cost_class: string | null;

  @ApiProperty({ ...TEXT, format: 'uuid', description: 'The user with this contact' }) user_id: string | null;
}

@ApiSchema({ description: 'Messages with their outcome, and the cursor of the next page' })
export class DeliveryListDto extends CursorPageOf(DeliveryDto) {}

export function deliveryDto(delivery: Delivery): DeliveryDto {
  return {
    id: delivery.id,
    at: delivery.at.toISOString(),
    channel: delivery.channel,
    purpose: delivery.purpose,
    target: delivery.target,
    provider: delivery.provider,
    outcome: delivery.outcome,
    provider_message_id: delivery.providerMessageId,
    provider_code: delivery.providerCode,
    cost_class: delivery.costClass,
    user_id: delivery.userId,
  };
}
