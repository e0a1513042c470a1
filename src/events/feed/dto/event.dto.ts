import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { IdField, QueryIntegerField, TextField } from '../../../platform/http/input';
import { CursorField } from '../../../platform/lists';
import { isTypeFilter } from '../event-types';
import { EventReader } from '../event-readers.service';
import { EventFilter, FeedEvent, Participant } from '../feed-event';

export const MAX_EVENTS = 100;
const DEFAULT_EVENTS = 20;
const MAX_TYPES = 1_000;

/** The filters of a comma-separated list. */
const typesOf = (types: string | undefined): string[] => (types ? types.split(',') : []);

export class EventStreamQueryDto {
  @TextField({
    description: 'Comma-separated types, or prefixes such as `user.*`. Default: all',
    max: MAX_TYPES,
    check: (types) => (typesOf(types).every(isTypeFilter) ? undefined : 'event_types'),
    optional: true,
    example: 'user.*,session.ended',
  })
  types?: string;

  @IdField({ description: 'Only events that concern this organization', optional: true })
  organization_id?: string;
}

export const filterOf = (query: EventStreamQueryDto): EventFilter => ({
  types: typesOf(query.types),
  organizationId: query.organization_id,
});

export class EventQueryDto extends EventStreamQueryDto {
  @CursorField() cursor?: string;

  @QueryIntegerField({
    description: 'Maximum number of events',
    min: 1,
    max: MAX_EVENTS,
    default: DEFAULT_EVENTS,
    optional: true,
  })
  limit?: number;
}

export const limitOf = ({ limit }: EventQueryDto): number => limit ?? DEFAULT_EVENTS;

class EventParticipantDto {
  @ApiProperty({
    description: '`user`, `client`, `operator`, `application` (the code of a host), `role`, `setting` and so on',
    example: 'user',
  })
  type: string;

  @ApiProperty({ example: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4' }) id: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'At the time of the event, for users with `audit:read`. null: not recorded',
    example: 'ann',
  })
  name: string | null;
}

@ApiSchema({ description: 'An event. `docs/events.schema.json` describes `data` by type' })
export class FeedEventDto {
  @ApiProperty({ format: 'uuid', description: 'The same at each delivery' }) id: string;
  @ApiProperty({ example: 'session.ended' }) type: string;
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({ type: EventParticipantDto, nullable: true, description: 'null: unknown, or the service itself' })
  actor: EventParticipantDto | null;

  @ApiPropertyOptional({
    type: EventParticipantDto,
    description: 'The user that the actor acted as; absent for acts in the own name',
  })
  on_behalf_of?: EventParticipantDto;

  @ApiProperty({ type: EventParticipantDto, nullable: true, description: 'Events of one subject arrive in order' })
  subject: EventParticipantDto | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'By type; `version` is the version of its form',
    example: { version: 1, session_ids: ['01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4'], reason: 'logout' },
  })
  data: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: String, nullable: true, example: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4' }) request_id:
    string | null;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'The organization that the event concerns. Absent for events of the service',
  })
  organization_id?: string;
}

@ApiSchema({ description: 'Events, oldest first, and the cursor from which to continue' })
export class EventListDto {
  @ApiProperty({ type: [FeedEventDto] }) items: FeedEventDto[];
  @ApiProperty({
    description: 'Never null. While it changes, read on at once; otherwise there is nothing new',
    example: 'for-the-next-request',
  })
  next_cursor: string;
}

@ApiSchema({ description: 'Events, newest first, and the cursor of the events before them' })
export class RecentEventListDto {
  @ApiProperty({ type: [FeedEventDto] }) items: FeedEventDto[];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'null on the last page. With a filter, a page may be empty although another follows',
    example: 'for-the-next-request',
  })
  next_cursor: string | null;
}

export function feedEventDto(
  { id, type, at, actor, onBehalfOf, subject, data, requestId, organizationId }: FeedEvent,
  { seesNames }: Pick<EventReader, 'seesNames'>,
): FeedEventDto {
  const named = (who: Participant): EventParticipantDto => ({
    type: who.type,
    id: who.id,
    name: seesNames ? who.name : null,
  });
  const shown = (participant: Participant | null): EventParticipantDto | null => participant && named(participant);
  return {
    id,
    type,
    at: at.toISOString(),
    actor: shown(actor),
    ...(onBehalfOf && { on_behalf_of: named(onBehalfOf) }),
    subject: shown(subject),
    data,
    request_id: requestId,
    ...(organizationId !== undefined && { organization_id: organizationId }),
  };
}
