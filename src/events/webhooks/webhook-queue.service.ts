import { Injectable } from '@nestjs/common';
import { EventFeedService, FeedEntry, FeedEvent, feedEventDto, FeedPart, FeedPosition } from '../feed';
import { newId } from '../../platform/crypto';
import { resultOf, SentDelivery } from '../../platform/outbound/deliveries';
import { MetricsService } from '../../platform/metrics';
import { DueDelivery, NewDelivery, WebhookDeliveryRepository } from './webhook-delivery.repository';
import { signalsOf } from './shared-signals';
import { Webhook } from './webhook.entity';
import { webhookAttempts } from './webhook.metrics';

/** Events read at once, and deliveries made of them: an event about a group becomes one for each user. */
const PART = 100;
/** Of one webhook. Later events wait in the feed, so a receiver that does not answer costs no space. */
const MAX_PENDING = 1_000;
/** Deliveries attempted at the same time, before the results are stored. */
const ROUND = 20;

/** What was taken from the feed: nothing, a part, or all that was there. */
export type FillResult = 'nothing' | 'part' | 'all';

/** The queue of a webhook: deliveries that are copied from the feed and kept until they are delivered. */
@Injectable()
export class WebhookQueueService {
  constructor(
    private readonly feed: EventFeedService,
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly metrics: MetricsService,
  ) {}

  /** Takes the next events from the feed. */
  async fill(webhook: Webhook, instance: string): Promise<FillResult> {
    if ((await this.deliveries.countPending(webhook.id)) > MAX_PENDING - PART) return 'nothing';
    const from = {
      position: webhook.position,
      id: webhook.positionId,
      ordinal: webhook.positionOrdinal,
      at: null,
    };
    const part = await this.feed.follow(from, { limit: PART, types: webhook.types });
    const { deliveries, next, isEnd } = boundedPart(webhook, part);
    if (next.position === from.position && next.id === from.id && next.ordinal === from.ordinal) return 'nothing';
    if (!(await this.deliveries.fill(webhook, instance, next, deliveries))) return 'nothing';
    return isEnd ? 'all' : 'part';
  }

  /**
   * Deliveries to attempt now, of different subjects. While the receiver fails, only the oldest one, so that a hanging
   * receiver takes few of the calls that all receivers share.
   */
  due({ id, failingSince }: Pick<Webhook, 'id' | 'failingSince'>): Promise<DueDelivery[]> {
    return this.deliveries.findDue(id, failingSince === null ? ROUND : 1);
  }

  /** Stores the results of attempts. Returns whether a delivery has failed finally. */
  async settle({ id }: Webhook, attempts: readonly (readonly [DueDelivery, SentDelivery])[]): Promise<boolean> {
    const made = attempts.filter(([, { isDelivered }]) => isDelivered !== null);
    if (made.length === 0) return false;
    const results = made.map(([delivery, sent]) => resultOf(delivery, sent));
    await this.deliveries.settleRound(id, results);
    for (const { state } of results) this.metrics.count(webhookAttempts, { outcome: OUTCOMES[state] });
    return results.some(({ state }) => state === 'failed');
  }
}

const OUTCOMES = { delivered: 'delivered', pending: 'failed', failed: 'given_up' } as const;

interface BoundedPart {
  readonly deliveries: readonly NewDelivery[];
  readonly next: FeedPosition;
  readonly isEnd: boolean;
}

/** As much of the part as makes a hundred deliveries, and at least one event, because the place is between events. */
function boundedPart(webhook: Webhook, { entries, next, isEnd }: FeedPart): BoundedPart {
  const deliveries: NewDelivery[] = [];
  let taken: FeedEntry | undefined;
  for (const entry of entries) {
    const more = deliveriesOf(webhook, entry);
    if (taken && deliveries.length + more.length > PART) return { deliveries, next: taken.next, isEnd: false };
    deliveries.push(...more);
    taken = entry;
  }
  return { deliveries, next, isEnd };
}

const deliveriesOf = ({ format }: Webhook, { event, next }: FeedEntry): NewDelivery[] =>
  (format === 'caep' ? signalsOf(event) : [event]).map((sent) => deliveryOf(sent, next));

/** Receivers get ids only: they need no permission to see names. */
const deliveryOf = (event: FeedEvent, next: FeedEntry['next']): NewDelivery => ({
  id: newId(),
  eventId: event.id,
  eventType: event.type,
  subject: event.subject ? `${event.subject.type}:${event.subject.id}` : event.id,
  position: next.position,
  payload: JSON.stringify(feedEventDto(event, { seesNames: false })),
});
