import { defineAct } from '../../audit';
import type { AuditedWebhook } from './webhook-audit';

export const webhookActs = {
  create: defineAct<{ after: AuditedWebhook }>('webhook.create'),
  update: defineAct<{ before: AuditedWebhook; after: AuditedWebhook & { readonly url_changed?: true } }>(
    'webhook.update',
  ),
  delete: defineAct<{ before: AuditedWebhook }>('webhook.delete'),
  disable: defineAct<{ before: { readonly enabled: true }; after?: object }>('webhook.disable'),
  suspend: defineAct<{ after: { readonly set_by: string | null } }>('webhook.suspend'),
  restore: defineAct<{ after: { readonly set_by: string | null } }>('webhook.restore'),
  rotateSecret: defineAct<{ after: { readonly overlap_seconds: number } }>('webhook.rotate_secret'),
  replay: defineAct<{ after: { readonly from: string } }>('webhook.replay'),
  retry: defineAct<{ after: { readonly delivery_id: string } }>('webhook.retry'),
  test: defineAct('webhook.test'),
};
