import type { Provider } from './providers-page';

const PARAMETER = 'params.';

/** The address that is registered with the provider, as this very page is reached. */
export const callbackOf = (name: string): string => `${location.origin}/api/oauth/callback/${encodeURIComponent(name)}`;

/** A body of what was typed: `params.x` goes into `params`, and what is empty is the template's. */
export function filledIn(values: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  const params = given.flatMap(([name, value]) =>
    name.startsWith(PARAMETER) ? [[name.slice(PARAMETER.length), value]] : [],
  );
  const own = given.filter(([name]) => !name.startsWith(PARAMETER));
  return { ...Object.fromEntries(own), ...(params.length > 0 && { params: Object.fromEntries(params) }) };
}

type Texts = Readonly<
  Record<
    | 'name'
    | 'label'
    | 'client_id'
    | 'client_secret'
    | 'icon'
    | 'authorize_url'
    | 'token_url'
    | 'userinfo_url'
    | 'issuer',
    string
  >
>;

/** A provider while it is edited. */
export interface ProviderValues
  extends Texts, Pick<Provider, 'sort' | 'params' | 'pkce' | 'trust_email' | 'auto_register'> {
  readonly scopes: readonly string[];
  readonly mapping: Readonly<Record<string, string>>;
}

/** What of a provider can be edited; an address that is discovered is empty. */
export function valuesOf(provider: Provider): ProviderValues {
  const { name, label, client_id, icon, sort, scopes, mapping, params, pkce, trust_email, auto_register } = provider;
  return {
    name,
    label,
    client_id,
    client_secret: '',
    icon: icon ?? '',
    sort,
    authorize_url: provider.authorize_url ?? '',
    token_url: provider.token_url ?? '',
    userinfo_url: provider.userinfo_url ?? '',
    issuer: provider.issuer ?? '',
    scopes,
    mapping: Object.fromEntries(Object.entries(mapping).map(([claim, path]) => [claim, path ?? ''])),
    params: { ...params },
    pkce,
    trust_email,
    auto_register,
  };
}

/** Only what is another: everything else stays as it is, the secret too. */
export function changesOf(before: ProviderValues, after: ProviderValues): Record<string, unknown> {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(before[name as keyof ProviderValues]) !== JSON.stringify(value),
  );
  return Object.fromEntries(
    changed.map(([name, value]) => [name, name === 'mapping' ? nullsFor(after.mapping) : value]),
  );
}

const nullsFor = (mapping: Readonly<Record<string, string>>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(mapping).map(([claim, path]) => [claim, path === '' ? null : path]));
