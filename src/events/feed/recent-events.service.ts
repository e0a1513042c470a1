import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AuditPositionRepository, OrderedAuditEvent } from '../../audit';
import { CursorsService } from '../../platform/lists';
import { EventQueryDto, feedEventDto, filterOf, limitOf, RecentEventListDto } from './dto/event.dto';
import { EventReadersService } from './event-readers.service';
import { eventsOf, FeedEvent, isWanted } from './feed-event';
import { FEED_END } from './feed-position';

const LIST = 'event_back';
/** Acts read at once: more with a filter, which may match few of them. */
const BATCH = 100;
const FILTERED_BATCH = 1_000;

/** The events before `ordinal` of the act come next. */
type BackPosition = Pick<typeof FEED_END, 'position' | 'id' | 'ordinal'>;

interface BackEntry {
  readonly event: FeedEvent;
  /** The place before the event. */
  readonly next: BackPosition;
}

/** Shows people the newest events first. Other systems follow the feed. */
@Injectable()
export class RecentEventsService {
  constructor(
    private readonly acts: AuditPositionRepository,
    private readonly cursors: CursorsService,
    private readonly readers: EventReadersService,
  ) {}

  /**
   * Reads a bounded number of acts, so a page may be empty although earlier acts have wanted events. Errors:
   * `validation_failed` for a forged cursor, and those of `EventReadersService`.
   */
  async list(query: EventQueryDto, request: FastifyRequest): Promise<RecentEventListDto> {
    const reader = await this.readers.require(request);
    const [limit, filter] = [limitOf(query), filterOf(query)];
    const from = query.cursor ? this.read(query.cursor) : FEED_END;
    const batch = filter.types.length === 0 && !filter.organizationId ? BATCH : FILTERED_BATCH;
    const acts = await this.acts.findBack(from, batch);
    const entries = acts.flatMap((act) => entriesBack(act, from));
    const wanted = entries.filter(({ event }) => isWanted(event, filter));
    const shown = wanted.slice(0, limit);
    const last = acts.at(-1);
    const end = last && acts.length === batch ? { ...last, ordinal: 0 } : undefined;
    const next = wanted.length > limit ? shown.at(-1)?.next : end;
    return {
      items: shown.map(({ event }) => feedEventDto(event, reader)),
      next_cursor: next ? this.write(next) : null,
    };
  }

  private write({ position, id, ordinal }: BackPosition): string {
    return this.cursors.seal(LIST, [position, id, String(ordinal)]);
  }

  private read(cursor: string): BackPosition {
    const [position = '', id = '', ordinal = ''] = this.cursors.open(LIST, cursor);
    return { position, id, ordinal: Number(ordinal) };
  }
}

function entriesBack(act: OrderedAuditEvent, from: BackPosition): BackEntry[] {
  const { position, id } = act;
  const entries = eventsOf(act).map((event, ordinal) => ({ event, next: { position, id, ordinal } }));
  const isPartlyRead = id === from.id && position === from.position;
  return (isPartlyRead ? entries.slice(0, from.ordinal) : entries).reverse();
}
