import { EventFeedService, FeedEntry, FeedPart, FeedPosition } from '../feed';
import { MetricsService } from '../../platform/metrics';
import { NewDelivery, WebhookDeliveryRepository } from './webhook-delivery.repository';
import { FillResult, WebhookQueueService } from './webhook-queue.service';
import { Webhook } from './webhook.entity';
import { fake } from '../../../test/support/service/fake';

const WEBHOOK = { id: 'w', format: 'caep', types: [], position: '0', positionId: 'e0', positionOrdinal: 0 };

const placeOf = (number: number): FeedPosition => ({ position: `${number}`, id: `e${number}`, ordinal: 1, at: null });

/** Of users who join a group. */
const entryOf = (number: number, users: number): FeedEntry => ({
  event: {
    ...{ id: `e${number}`, type: 'group.users_added', at: new Date(0), actor: null, requestId: null },
    subject: { type: 'group', id: 'g', name: null },
    data: { version: 1, added_ids: Array.from({ length: users }, (_, user) => `${number}-${user}`) },
  },
  next: placeOf(number),
});

describe('WebhookQueueService.fill', () => {
  let added: readonly NewDelivery[];
  let place: FeedPosition | undefined;

  beforeEach(() => {
    added = [];
    place = undefined;
  });

  function fill(part: FeedPart): Promise<FillResult> {
    const deliveries = {
      countPending: async () => 0,
      fill: async (_webhook: Webhook, _instance: string, to: FeedPosition, more: readonly NewDelivery[]) => {
        place = to;
        added = more;
        return true;
      },
    };
    const queue = new WebhookQueueService(
      fake<EventFeedService>({ follow: async () => part }),
      deliveries as unknown as WebhookDeliveryRepository,
      {} as MetricsService,
    );
    return queue.fill(WEBHOOK as unknown as Webhook, 'instance');
  }

  it('takes all events that make up to a hundred deliveries', async () => {
    const entries = [entryOf(1, 40), entryOf(2, 60)];
    await expect(fill({ entries, next: placeOf(9), isEnd: true })).resolves.toBe('all');
    expect([added.length, place]).toEqual([100, placeOf(9)]);
  });

  it('leaves events in the feed that would make more deliveries', async () => {
    const entries = [entryOf(1, 40), entryOf(2, 60), entryOf(3, 1)];
    await expect(fill({ entries, next: placeOf(9), isEnd: true })).resolves.toBe('part');
    expect([added.length, place]).toEqual([100, placeOf(2)]);
  });

  it('takes one event whole', async () => {
    const entries = [entryOf(1, 150), entryOf(2, 1)];
    await expect(fill({ entries, next: placeOf(9), isEnd: true })).resolves.toBe('part');
    expect([added.length, place]).toEqual([150, placeOf(1)]);
  });
});
