import { Injectable } from '@nestjs/common';
import { CursorAnswer, CursorsService, placeOf } from '../../platform/lists';
import { Log } from '../../platform/logging';
import { MetricsService } from '../../platform/metrics';
import { classifyIdentifier } from '../../users';
import { maskTarget, Message, MessageChannel } from '../message/message';
import { DeliveryFilter, DeliveryRepository } from './delivery.repository';
import { DeliveryDto, deliveryDto, DeliveryQueryDto } from './dto/delivery.dto';
import { SendResult } from './send-result';
import { deliveries } from './delivery.metrics';

const short = (text: string | undefined, length: number): string | null =>
  text === undefined ? null : text.replace(/[^\x20-\x7e]/g, '?').slice(0, length);

/** Records each message and its outcome. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly repository: DeliveryRepository,
    private readonly cursors: CursorsService,
    private readonly metrics: MetricsService,
    private readonly log: Log,
  ) {}

  /** Inserts the record before the provider is called, so that no sent message lacks one. */
  async begin(id: string, { channel, purpose, target, userId }: Message): Promise<void> {
    await this.repository.begin({ id, channel, purpose, target: maskTarget(channel, target), userId: userId ?? null });
  }

  /** Never throws, because the message may already be sent. */
  async finish(id: string, { channel, purpose }: Message, result: SendResult): Promise<void> {
    const { outcome, provider } = result;
    this.metrics.count(deliveries, { channel, provider, outcome });
    const fields = {
      delivery: id,
      channel,
      purpose,
      provider,
      outcome,
      provider_code: short(result.providerCode, 128),
    };
    if (outcome === 'accepted') this.log.debug('Message sent', fields);
    else this.log.warn('Provider did not accept a message', fields);
    try {
      await this.repository.finish(id, {
        outcome,
        provider: short(provider, 32),
        providerMessageId: short(result.providerMessageId, 128),
        providerCode: short(result.providerCode, 128),
        costClass: short(result.costClass, 32),
      });
    } catch (error) {
      this.log.warn('Recording the outcome of a message failed', { ...fields, err: error });
    }
  }

  /** Newest first. Errors: `validation_failed` for a cursor of another query. */
  async list(query: DeliveryQueryDto): Promise<CursorAnswer<DeliveryDto>> {
    const filter = filterOf(query);
    const list = `delivery|${JSON.stringify(filter)}`;
    const page = this.cursors.read(list, query);
    const rows = await this.repository.find(filter, page.after, page.limit);
    return this.cursors.answer(list, page, rows, { item: deliveryDto, position: placeOf });
  }
}

const channelOf = (target: string): MessageChannel => (classifyIdentifier(target) === 'email' ? 'email' : 'sms');

function filterOf({
  target,
  user_id,
  from,
  to,
  channel,
  purpose,
  outcome,
  provider,
}: DeliveryQueryDto): DeliveryFilter {
  return {
    channel,
    purpose,
    outcome,
    provider,
    userId: user_id,
    target: target === undefined ? undefined : maskTarget(channelOf(target), target),
    from: from === undefined ? undefined : new Date(from),
    to: to === undefined ? undefined : new Date(to),
  };
}
