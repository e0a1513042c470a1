import { ConfiguredProvider } from './configured-provider';
import { LoginProvider } from './login-provider.entity';
import { fillParameters } from './parameters';
import { ProviderPreset } from './preset';

export type ResolvedProvider = Omit<ConfiguredProvider, 'clientSecret'>;

type Stored = Pick<
  LoginProvider,
  | 'id'
  | 'name'
  | 'template'
  | 'clientId'
  | 'authorizeUrl'
  | 'tokenUrl'
  | 'userinfoUrl'
  | 'issuer'
  | 'scopes'
  | 'mapping'
  | 'params'
  | 'pkce'
  | 'withoutUserinfo'
>;

/** The effective values: the stored ones, and the template's for the rest. */
export function resolveProvider(
  stored: Stored & { readonly version?: number },
  preset: ProviderPreset,
): ResolvedProvider {
  const { id, version = 1, name, template, clientId, scopes, pkce, withoutUserinfo } = stored;
  const params = { ...fallbacksOf(preset), ...stored.params };
  const fill = (pattern: string | null, issuer: string | null): string | null =>
    pattern === null ? null : fillParameters(pattern, { params, clientId, issuer });
  const issuer = stored.issuer ?? fill(preset.endpoints.issuer, null);
  return {
    id,
    version,
    name,
    template,
    clientId,
    authorizeUrl: stored.authorizeUrl ?? fill(preset.endpoints.authorizeUrl, issuer),
    tokenUrl: stored.tokenUrl ?? fill(preset.endpoints.tokenUrl, issuer),
    userinfoUrl: stored.userinfoUrl ?? fill(preset.endpoints.userinfoUrl, issuer),
    issuer,
    scopes: scopes ?? preset.scopes,
    mapping: { ...preset.mapping, ...stored.mapping },
    params,
    pkce: pkce ?? preset.pkce,
    withoutUserinfo,
  };
}

function fallbacksOf({ fields }: ProviderPreset): Record<string, string> {
  return Object.fromEntries(fields.flatMap(({ name, fallback }) => (fallback === undefined ? [] : [[name, fallback]])));
}
