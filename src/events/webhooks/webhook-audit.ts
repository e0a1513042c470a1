import { AuditTarget } from '../../audit';
import { WebhookHeaders } from './webhook-secrets.service';
import { Webhook } from './webhook.entity';

export const webhookTarget = ({ id, name }: Pick<Webhook, 'id' | 'name'>): AuditTarget => ({
  type: 'webhook',
  id,
  label: name,
});

export type AuditedWebhook = Pick<Webhook, 'name' | 'types' | 'enabled'> &
  Partial<Pick<Webhook, 'format' | 'audience'>> & { readonly host: string; readonly headers: readonly string[] | null };

/** Without secrets: headers by name (null if they cannot be decrypted), and of the URL the host, because the rest may be one. */
export const auditedWebhook = (
  { name, url, format, audience, types, enabled }: Webhook,
  headers: WebhookHeaders | undefined,
): AuditedWebhook => ({
  ...{ name, host: new URL(url).host, types, enabled, headers: headers ? Object.keys(headers) : null },
  ...(format === 'caep' && { format, audience }),
});
