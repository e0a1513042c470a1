import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IdField, TextField, TimeField } from '../../../platform/input';
import { CursorPageOf, CursorQueryDto } from '../../../platform/lists';
import { codePurposes, deliveryOutcomes, messageChannels, noticePurposes } from '../../message';
import type { DeliveryOutcome, MessageChannel, MessagePurpose } from '../../message';
import { Delivery } from '../delivery.entity';

const purposes = [...codePurposes, ...noticePurposes];

export class DeliveryQueryDto extends CursorQueryDto {
  @ChoiceField({ description: 'Only this channel', options: messageChannels, optional: true }) channel?: MessageChannel;
  @ChoiceField({ description: 'Only messages for this', options: purposes, optional: true }) purpose?: MessagePurpose;
  @ChoiceField({ description: 'Only those of which this became', options: deliveryOutcomes, optional: true })
  outcome?: DeliveryOutcome;

  @TextField({ description: 'Only those given to this provider', max: 32, optional: true, example: 'aliyun' })
  provider?: string;

  @IdField({ description: "Only messages to this user's contacts", optional: true }) user_id?: string;

  @TextField({
    description: 'Only to this address or number (E.164), given whole; others that look alike when masked come along',
    max: 254,
    optional: true,
  })
  target?: string;

  @TimeField({ description: 'Only from this moment on', optional: true }) from?: string;
  @TimeField({ description: 'Only before this moment', optional: true }) to?: string;
}

const TEXT = { type: String, nullable: true } as const;

export class DeliveryDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({ enum: messageChannels }) channel: string;
  @ApiProperty({ enum: purposes }) purpose: string;
  @ApiProperty({ description: 'Masked', example: 'a***@example.com' }) target: string;
  @ApiProperty({ ...TEXT, description: 'null: not asked yet', example: 'smtp' }) provider: string | null;
  @ApiProperty({
    enum: deliveryOutcomes,
    description:
      'What the provider made of it. unknown: it may have been sent, or is being sent; it is never sent again by itself',
  })
  outcome: string;

  @ApiProperty({ ...TEXT, example: 'a1b2c3d4' }) provider_message_id: string | null;
  @ApiProperty({ ...TEXT, description: "The provider's own code, or why it could not be asked", example: '250' })
  provider_code: string | null;

  @ApiProperty({ ...TEXT, description: 'How many messages the provider counts, where it says so', example: '2' })
  cost_class: string | null;

  @ApiProperty({ ...TEXT, format: 'uuid', description: 'Whose contact it was' }) user_id: string | null;
}

@ApiSchema({ description: 'Messages and what became of them, and the cursor of those that follow' })
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
