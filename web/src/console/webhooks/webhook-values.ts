import type { components } from '../../api/schema';
import type { Webhook } from './webhook-lists';

export interface HeaderRow {
  readonly name: string;
  /** Empty for a stored header: its value stays. */
  readonly value: string;
  /** The name under which the value is stored. The service never shows it. */
  readonly stored: string | null;
}

export interface WebhookValues {
  readonly name: string;
  readonly url: string;
  readonly format: Webhook['format'];
  /** Used by the format `caep` alone. */
  readonly audience: string;
  readonly types: readonly string[];
  readonly headers: readonly HeaderRow[];
}

export const newWebhook: WebhookValues = {
  ...{ name: '', url: '', types: [], headers: [] },
  ...{ format: 'standard_webhooks', audience: '' },
};

export const valuesOf = ({ name, url, format, audience, types, headers }: Webhook): WebhookValues => ({
  name,
  url,
  format,
  audience: audience ?? '',
  types,
  headers: Object.keys(headers).map((stored) => ({ name: stored, value: '', stored })),
});

/** The form as the body of a request. An empty value of a stored header is null, which keeps it. */
export function webhookBody(values: WebhookValues): components['schemas']['CreateWebhookDto'] {
  const { name, url, format, audience, types } = values;
  const entries = values.headers
    .filter((header) => header.name.trim() !== '')
    .map((header) => [header.name.trim(), header.value === '' && isStored(header) ? null : header.value]);
  const headers = Object.fromEntries(entries) as Record<string, string | null>;
  return { name, url, format, types: [...types], headers, ...(format === 'caep' && { audience }) };
}

export const isStored = ({ name, stored }: HeaderRow): boolean => name.trim().toLowerCase() === stored;
