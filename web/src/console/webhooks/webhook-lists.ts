import type { QueryKey } from '@tanstack/react-query';
import type { components } from '../../api/schema';
import { $api } from '../api';
import { invalidateLists, queryClient } from '../query-client';

export type Webhook = components['schemas']['WebhookDto'];
export type Delivery = components['schemas']['WebhookDeliveryDto'];

const { queryKey: allWebhooks } = $api.queryOptions('get', '/api/webhook');

export const webhookKey = (id: string): QueryKey =>
  $api.queryOptions('get', '/api/webhook/{id}', { params: { path: { id } } }).queryKey;

export const deliveriesKey = (id: string): string[] => ['webhook-deliveries', id];

export const reloadWebhooks = (): Promise<void> => invalidateLists(allWebhooks);

/** Updates the cache with the response of a change. */
export async function showWebhook(webhook: Webhook): Promise<void> {
  queryClient.setQueryData(webhookKey(webhook.id), webhook);
  await reloadWebhooks();
}

/** Reloads what an attempt changes: the deliveries, and when the receiver failed. */
export async function reloadDeliveries(id: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: deliveriesKey(id) });
  await queryClient.invalidateQueries({ queryKey: webhookKey(id) });
}
