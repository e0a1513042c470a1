import { Get, Headers, Query, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AllowClients, ApiController, RequirePermission } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { EVENT_STREAM, eventStreamFile, RequireKnownOrigin } from '../../platform/http';
import { ProblemResponses } from '../../platform/http/problems';
import { EventListDto, EventQueryDto, EventStreamQueryDto, filterOf, RecentEventListDto } from './dto/event.dto';
import { eventPermissions } from './event-feed.permissions';
import { EventListsService } from './event-lists.service';
import { EventStreamsService } from './event-streams.service';
import { RecentEventsService } from './recent-events.service';

const { read } = eventPermissions;

@ApiTags('Events')
@ApiController('event')
export class EventsController {
  constructor(
    private readonly lists: EventListsService,
    private readonly streams: EventStreamsService,
    private readonly recent: RecentEventsService,
  ) {}

  @Get()
  @RequirePermission(read)
  @AllowClients(read)
  @ApiOperation({
    summary: 'Read what happened',
    description:
      'Oldest first. A reader that continues with `next_cursor` misses no event and reads none twice. Ids only; users with `audit:read` see names, too.',
  })
  @ApiOkResponse({ type: EventListDto })
  list(@Query() query: EventQueryDto, @Req() request: FastifyRequest): Promise<EventListDto> {
    return this.lists.list(query, request);
  }

  @Get('recent')
  @RequirePermission(read)
  @ApiOperation({
    summary: 'Show the latest events',
    description: 'Newest first, for people. A system that must miss none reads `GET /api/event`.',
  })
  @ApiOkResponse({ type: RecentEventListDto })
  listRecent(@Query() query: EventQueryDto, @Req() request: FastifyRequest): Promise<RecentEventListDto> {
    return this.recent.list(query, request);
  }

  @Get('stream')
  @RequireKnownOrigin()
  @RequirePermission(read)
  @AllowClients(read)
  @ApiOperation({
    summary: 'Follow what happens',
    description:
      'The same events as server-sent events, each with its cursor as `id`, for at most 15 minutes. A reader that reconnects with `Last-Event-ID` misses none; without it, the stream starts now. A heartbeat every 15 seconds.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: '`id` of the last event that was received',
    schema: { type: 'string' },
  })
  @ApiProduces(EVENT_STREAM)
  @ApiOkResponse({ schema: { type: 'string' }, description: 'The events, until the client disconnects' })
  @ProblemResponses(platformErrors.csrfRejected, platformErrors.rateLimited)
  async stream(
    @Query() query: EventStreamQueryDto,
    @Headers('last-event-id') last: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const events = await this.streams.open(request, filterOf(query), await this.lists.positionOf(last));
    return eventStreamFile(events, reply);
  }
}
