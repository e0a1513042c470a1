import { ConfiguredProvider } from './configured-provider';

/** Replaces `{name}` with the provider's parameters, client id or issuer. Unknown names become empty. */
export function fillParameters(
  pattern: string,
  { params, clientId, issuer }: Pick<ConfiguredProvider, 'params' | 'clientId' | 'issuer'>,
): string {
  const values: Readonly<Record<string, string>> = { ...params, client_id: clientId, issuer: issuer ?? '' };
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
