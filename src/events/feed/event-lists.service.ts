import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EventListDto, EventQueryDto, feedEventDto, filterOf, limitOf } from './dto/event.dto';
import { EventCursorsService } from './event-cursors.service';
import { EventFeedService } from './event-feed.service';
import { EventReadersService } from './event-readers.service';
import { FEED_START, FeedPosition } from './feed-position';

/** Answers readers of the feed. */
@Injectable()
export class EventListsService {
  constructor(
    private readonly feed: EventFeedService,
    private readonly cursors: EventCursorsService,
    private readonly readers: EventReadersService,
  ) {}

  /** Errors: `validation_failed` for a cursor that is no longer valid, and those of `EventReadersService`. */
  async list(query: EventQueryDto, request: FastifyRequest): Promise<EventListDto> {
    const reader = await this.readers.require(request);
    const from = (await this.positionOf(query.cursor)) ?? FEED_START;
    const { entries, next } = await this.feed.read(from, { limit: limitOf(query), ...filterOf(query) });
    return {
      items: entries.map(({ event }) => feedEventDto(event, reader)),
      next_cursor: this.cursors.write(next),
    };
  }

  /** Undefined without a cursor. Errors: as `list`. */
  async positionOf(cursor: string | undefined): Promise<FeedPosition | undefined> {
    return cursor ? this.cursors.read(cursor) : undefined;
  }
}
