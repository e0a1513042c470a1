import { ConfiguredProvider } from './configured-provider';

/** Puts the provider's own parameters, client id and issuer into `{name}`; one that is not there leaves nothing. */
export function fillParameters(
  pattern: string,
  { params, clientId, issuer }: Pick<ConfiguredProvider, 'params' | 'clientId' | 'issuer'>,
): string {
  const values: Readonly<Record<string, string>> = { ...params, client_id: clientId, issuer: issuer ?? '' };
  return pattern.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
