import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { ChoiceField, IdField, TextField, TimeField } from '../../../platform/http/input';
import { CursorField, CursorPageOf, PageSizeField } from '../../../platform/lists';
import { AuditEvent, MAX_TARGET_ID, type AuditOutcome } from '../audit-event.entity';

const OUTCOMES = ['success', 'failure'] as const;
const FORMATS = ['ndjson', 'csv'] as const;

/** The filters of the audit log. */
abstract class AuditFilterDto {
  @IdField({
    description:
      'Only actions that concern this user: as this user, on the account, or on its sessions, third-party accounts and ' +
      'grants. Without `from`, it reaches back 90 days before `to` or now',
    optional: true,
  })
  user_id?: string;

  @IdField({ description: 'Only actions of this user', optional: true }) actor_id?: string;

  @IdField({ description: 'Only actions of others as this user', optional: true })
  on_behalf_of_id?: string;

  @IdField({
    description:
      'Only actions that concern this organization. `audit:read` may be held there only: then the header ' +
      '`X-Organization-Id` must name it, and addresses, browsers, sessions and requests are left out',
    optional: true,
  })
  organization_id?: string;

  @TextField({ description: 'Only this action', max: 64, optional: true, example: 'setting.update' })
  action?: string;

  @ChoiceField({ description: 'Only actions with this outcome', options: OUTCOMES, optional: true })
  outcome?: AuditOutcome;

  @TextField({ description: 'Only actions on this type of target', max: 32, optional: true, example: 'role' })
  target_type?: string;

  @TextField({ description: 'Only actions on the target with this id', max: MAX_TARGET_ID, optional: true })
  target_id?: string;

  @TimeField({ description: 'Only from this time on', optional: true }) from?: string;
  @TimeField({ description: 'Only before this time', optional: true }) to?: string;
}

export class AuditExportQueryDto extends AuditFilterDto {
  @ChoiceField({ description: 'Default: `ndjson`, one JSON object per line', options: FORMATS, optional: true })
  format?: string;
}

export class AuditQueryDto extends AuditFilterDto {
  @CursorField() cursor?: string;
  @PageSizeField() page_size?: number;
}

class AuditActorDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ description: 'At the time of the action', example: 'ann' }) username: string;
}

class AuditTargetDto {
  @ApiProperty({ example: 'role' }) type: string;
  @ApiProperty({ type: String, nullable: true, example: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4' }) id: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'Its name at the time of the action', example: 'editor' })
  label: string | null;
}

const STATE = { type: 'object', nullable: true, additionalProperties: true } as const;

export class AuditEventDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'date-time' }) at: string;
  @ApiProperty({ example: 'setting.update' }) action: string;
  @ApiProperty({ enum: OUTCOMES }) outcome: string;
  @ApiProperty({ type: AuditActorDto, nullable: true, description: 'null: unknown actor, or the service itself' })
  actor: AuditActorDto | null;

  @ApiPropertyOptional({
    type: AuditActorDto,
    description: 'The user that the actor acted as; absent for acts in the own name',
  })
  on_behalf_of?: AuditActorDto;

  @ApiProperty({ type: String, format: 'uuid', nullable: true }) session_id: string | null;
  @ApiProperty({ type: AuditTargetDto, nullable: true }) target: AuditTargetDto | null;

  @ApiPropertyOptional({
    format: 'uuid',
    description:
      'The organization that the action concerns; absent if there is none, and for actions of former versions',
  })
  organization_id?: string;

  @ApiProperty({ type: String, nullable: true, example: '203.0.113.7' }) ip: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  })
  user_agent: string | null;
  @ApiProperty({ type: String, nullable: true, example: '01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4' }) request_id:
    string | null;
  @ApiProperty({
    ...STATE,
    description: 'The changed fields before the action; secrets masked',
    example: { value: true },
  })
  before: object | null;
  @ApiProperty({
    ...STATE,
    description: 'The changed fields after the action; secrets masked',
    example: { value: false },
  })
  after: object | null;
  @ApiProperty({ type: String, nullable: true, example: 'Registration closes for the season' }) reason: string | null;
}

export class AuditEntryDto extends AuditEventDto {
  @ApiProperty({
    description: "The action in the caller's language. For an action of a host without a text, its name",
    example: 'Setting changed',
  })
  title: string;
}

@ApiSchema({ description: 'Audit events, and the next cursor' })
export class AuditListDto extends CursorPageOf(AuditEntryDto) {}

/** From where and in which session the actor acted: it is about the person, not the organization. */
const WITHOUT_ORIGIN = { sessionId: null, ip: null, userAgent: null, requestId: null };

/** They name people, roles and groups of the service, and what its roles grant. */
const OF_THE_SERVICE: ReadonlySet<string> = new Set([
  ...['owner_id', 'scopes_set_by', 'introspection_set_by', 'organization_set_by'],
  ...['access.role_ids', 'access.group_ids', 'lacking'],
]);

/** The state without what is not the organization's. */
function ownParts(state: object | null, path = ''): object | null {
  if (state === null) return null;
  const kept = Object.entries<unknown>({ ...state }).filter(([key]) => !OF_THE_SERVICE.has(path + key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'access' ? ownParts(value as object, 'access.') : value]),
  );
}

/** The event as administrators of the organization see it that it concerns. */
export const withinOrganization = (event: AuditEvent): AuditEvent =>
  Object.assign({}, event, WITHOUT_ORIGIN, { before: ownParts(event.before), after: ownParts(event.after) });

export function auditEventDto(event: AuditEvent): AuditEventDto {
  const { actorId, actorName, onBehalfOfId, onBehalfOfName, targetType, targetId, targetLabel } = event;
  return {
    id: event.id,
    at: event.at.toISOString(),
    action: event.action,
    outcome: event.outcome,
    actor: actorId === null ? null : { id: actorId, username: actorName ?? '' },
    ...(onBehalfOfId && { on_behalf_of: { id: onBehalfOfId, username: onBehalfOfName ?? '' } }),
    session_id: event.sessionId,
    target: targetType === null ? null : { type: targetType, id: targetId, label: targetLabel },
    ...(event.organizationId && { organization_id: event.organizationId }),
    ip: event.ip,
    user_agent: event.userAgent,
    request_id: event.requestId,
    before: event.before,
    after: event.after,
    reason: event.reason,
  };
}

export const auditEntryDto = (event: AuditEvent, title: string): AuditEntryDto =>
  Object.assign(auditEventDto(event), { title });
