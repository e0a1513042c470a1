import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { isTypeFilter } from '../../feed';
import {
  BooleanField,
  ChoiceField,
  IntegerField,
  ObjectField,
  TextField,
  TextListField,
  TimeField,
} from '../../../platform/http/input';
import { WebhookHeaders } from '../webhook-secrets.service';
import { disabledReasons, isSuspended, Webhook, webhookFormats } from '../webhook.entity';
import type { DisabledReason, WebhookFormat } from '../webhook.entity';

const MAX_TYPES = 50;
const MAX_AUDIENCE = 255;
const A_WEEK = 604_800;

const visible = (text: string): string | undefined => (text.trim() === '' ? 'visible' : undefined);

const NameField = (options: { optional: boolean }): PropertyDecorator =>
  TextField({ description: 'For administrators', min: 1, max: 100, check: visible, example: 'Billing', ...options });

const UrlField = (options: { optional: boolean }): PropertyDecorator =>
  TextField({
    description:
      'Receives each event as a POST: https, to a public address. `security.allow_private_providers` also allows private addresses, and http to them',
    max: 2_000,
    example: 'https://billing.example.com/events',
    ...options,
  });

class WebhookFieldsDto {
  @TextField({
    description: '`aud` of the tokens. Needed for the format `caep`, and only there',
    min: 1,
    max: MAX_AUDIENCE,
    check: visible,
    optional: true,
    example: 'https://receiver.example.com',
  })
  audience?: string;

  @TextListField({
    description: 'Types of events, or prefixes such as `user.*`. Default: all',
    max: MAX_TYPES,
    entry: { max: 64, check: (type) => (isTypeFilter(type) ? undefined : 'event_types') },
    optional: true,
    example: ['user.*', 'session.ended'],
  })
  types?: string[];

  @BooleanField({
    description: 'Default: true. A disabled webhook continues where it stopped when it is enabled again',
    optional: true,
  })
  enabled?: boolean;

  @ObjectField({
    description:
      'Additional headers of each request, at most 10, such as `{ "authorization": "Bearer …" }`. Replaces all; null as a value keeps the stored one',
    values: { type: 'string', nullable: true },
    optional: true,
    example: { authorization: 'Bearer for-the-receiver' },
  })
  headers?: Record<string, unknown>;
}

export class CreateWebhookDto extends WebhookFieldsDto {
  @NameField({ optional: false }) name: string;
  @UrlField({ optional: false }) url: string;

  @ChoiceField({
    description:
      'Default: `standard_webhooks`. `caep`: signed Security Event Tokens of OpenID Shared Signals, for the events that have one. Needs `user:admin`',
    options: webhookFormats,
    optional: true,
  })
  format?: WebhookFormat;
}

export class ChangeWebhookDto extends WebhookFieldsDto {
  @NameField({ optional: true }) name?: string;
  @UrlField({ optional: true }) url?: string;
}

export class RotateWebhookSecretDto {
  @IntegerField({
    description: 'How long the previous secret signs, too, in seconds',
    min: 0,
    max: A_WEEK,
    optional: true,
    example: 3_600,
  })
  overlap_seconds?: number;
}

export class ReplayWebhookDto {
  @TimeField({ description: 'The time of the first event to deliver again' }) from: string;
}

@ApiSchema({ description: 'The webhook, without its secret' })
export class WebhookDto {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ example: 'Billing' }) name: string;
  @ApiProperty({ example: 'https://billing.example.com/events' }) url: string;
  @ApiProperty({ enum: webhookFormats }) format: WebhookFormat;
  @ApiProperty({
    type: String,
    nullable: true,
    description: '`aud` of the tokens; null for other formats',
    example: 'https://receiver.example.com',
  })
  audience: string | null;

  @ApiProperty({ type: [String], description: 'Empty: all', example: ['user.*', 'session.ended'] })
  types: readonly string[];

  @ApiProperty() enabled: boolean;
  @ApiProperty({
    enum: disabledReasons,
    type: String,
    nullable: true,
    description:
      'Why the service disabled it: the receiver accepted a delivery at no attempt, or the user in `set_by` was deleted. Null while it is enabled, and if a user disabled it',
  })
  disabled_reason: DisabledReason | null;

  @ApiProperty({
    description:
      'Whether an enabled webhook waits, because the user in `set_by` may not set it now. It continues when this user may again, or when another one enables it',
  })
  suspended: boolean;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description:
      'The user who last set what it sends. It sends while this user may set it. Null: unknown, so it belongs to the service',
  })
  set_by: string | null;

  @ApiProperty({ description: 'Always true', example: true }) secret_set: boolean;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', nullable: true },
    description: 'The names of the additional headers. Values are never shown',
    example: { authorization: null },
  })
  headers: Record<string, null>;

  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_success_at: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The first failure since the last success',
  })
  failing_since: string | null;
}

@ApiSchema({ description: 'All webhooks, by name' })
export class WebhookListDto {
  @ApiProperty({ type: [WebhookDto] }) items: WebhookDto[];
}

const SECRET = {
  description:
    'Shown only in this response: `whsec_` and the base64 of the key of the signatures. The format `caep` does not use it',
  example: 'whsec_shown-this-once',
};

@ApiSchema({ description: 'The new webhook, with its secret' })
export class CreatedWebhookDto extends WebhookDto {
  @ApiProperty(SECRET) secret: string;
}

@ApiSchema({ description: 'The new secret, which is shown only once' })
export class WebhookSecretDto {
  @ApiProperty(SECRET) secret: string;
}

export const webhookDto = (webhook: Webhook, headers: WebhookHeaders): WebhookDto => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  format: webhook.format,
  audience: webhook.audience,
  types: webhook.types,
  enabled: webhook.enabled,
  disabled_reason: webhook.enabled ? null : webhook.disabledReason,
  suspended: isSuspended(webhook),
  set_by: webhook.setBy,
  secret_set: true,
  headers: Object.fromEntries(Object.keys(headers).map((name) => [name, null])),
  created_at: webhook.createdAt.toISOString(),
  updated_at: webhook.updatedAt.toISOString(),
  last_success_at: webhook.lastSuccessAt?.toISOString() ?? null,
  failing_since: webhook.failingSince?.toISOString() ?? null,
});
