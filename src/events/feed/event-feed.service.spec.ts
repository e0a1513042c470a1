import { AuditPositionRepository, OrderedAuditEvent } from '../../audit';
import '../../rbac';
import { EventFeedService } from './event-feed.service';
import { FEED_START } from './feed-position';
import { fake } from '../../../test/support/service/fake';

const actOf = (position: string): OrderedAuditEvent => ({
  id: `01900000-0000-7000-8000-00000000000${position}`,
  at: new Date(0),
  action: position === '2' ? 'role.delete' : 'role.create',
  outcome: 'success',
  actorId: null,
  actorName: null,
  onBehalfOfId: null,
  onBehalfOfName: null,
  sessionId: null,
  targetType: 'role',
  targetId: 'a role',
  targetLabel: null,
  requestId: null,
  before: null,
  after: null,
  organizationId: null,
  position,
});

describe('EventFeedService', () => {
  const find = jest.fn<Promise<OrderedAuditEvent[]>, []>();
  let feed: EventFeedService;

  beforeEach(() => {
    jest.useFakeTimers();
    find.mockReset().mockResolvedValue(['1', '2', '3'].map(actOf));
    feed = new EventFeedService(fake<AuditPositionRepository>({ find }));
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const typesAfter = async (from = FEED_START, types: string[] = [], limit = 100): Promise<string[]> =>
    (await feed.follow(from, { limit, types })).entries.map(({ event }) => event.type);

  it('lets followers at the same place share a query for a moment, each with its filter', async () => {
    expect(await Promise.all([typesAfter(), typesAfter(FEED_START, ['role.deleted'])])).toEqual([
      ['role.created', 'role.deleted', 'role.created'],
      ['role.deleted'],
    ]);
    const { next } = await feed.follow(FEED_START, { limit: 1, types: [] });
    expect(find).toHaveBeenCalledTimes(1);
    await typesAfter(next);
    expect(find).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(150);
    await typesAfter();
    expect(find).toHaveBeenCalledTimes(3);
  });

  it('shares no failure', async () => {
    find.mockRejectedValueOnce(new Error('away'));
    await expect(typesAfter()).rejects.toThrow('away');
    expect(await typesAfter()).toHaveLength(3);
  });

  it('runs a query for each other read', async () => {
    await feed.read(FEED_START, { limit: 1, types: [] });
    await feed.read(FEED_START, { limit: 1, types: [] });
    expect(find).toHaveBeenCalledTimes(2);
  });
});
