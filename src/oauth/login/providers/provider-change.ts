import { FieldProblem } from '../../../platform/errors';
import { ChangeLoginProviderDto, CreateLoginProviderDto } from './dto/login-provider-input.dto';
import { NewLoginProvider } from './login-provider.repository';
import { ProviderPreset } from './preset';
import { validateMapping, validateParameters } from './provider-input';

/** A provider with only its template set, to compare a new one with. */
export function emptyProvider(
  id: string,
  { name, label, template, organization_id }: CreateLoginProviderDto,
  preset: ProviderPreset,
): NewLoginProvider {
  return {
    id,
    name,
    label: label ?? (preset.label === '' ? name : preset.label),
    template,
    clientId: '',
    clientSecret: null,
    authorizeUrl: null,
    tokenUrl: null,
    userinfoUrl: null,
    withoutUserinfo: false,
    issuer: null,
    scopes: null,
    mapping: {},
    params: {},
    pkce: null,
    autoRegister: false,
    trustEmail: false,
    enabled: true,
    icon: null,
    sort: 0,
    organizationId: organization_id ?? null,
  };
}

/** Applies a change to a provider, except for the secret, and validates the result. */
export function applyChange(
  current: NewLoginProvider,
  body: ChangeLoginProviderDto,
  preset: ProviderPreset,
): { row: NewLoginProvider; problems: FieldProblem[] } {
  const mapping = body.mapping === undefined ? undefined : validateMapping(body.mapping ?? {});
  const params = validateParameters(body.params ?? current.params, preset);
  const row: NewLoginProvider = {
    id: current.id,
    template: current.template,
    organizationId: current.organizationId,
    clientSecret: current.clientSecret,
    ...namesOf(current, body),
    ...addressesOf(current, body),
    withoutUserinfo: omitsUserinfo(current, body, preset),
    ...switchesOf(current, body),
    scopes: kept(body.scopes, current.scopes),
    mapping: mapping?.value ?? current.mapping,
    params: body.params === undefined ? current.params : params.value,
    pkce: kept(body.pkce, current.pkce),
  };
  return { row, problems: [...(mapping?.problems ?? []), ...params.problems, ...ineffectiveOptions(row, preset)] };
}

type Names = Pick<NewLoginProvider, 'name' | 'label' | 'clientId' | 'icon' | 'sort'>;

function namesOf(current: Names, body: ChangeLoginProviderDto): Names {
  return {
    name: body.name ?? current.name,
    label: body.label ?? current.label,
    clientId: body.client_id ?? current.clientId,
    icon: textOrNull(body.icon, current.icon),
    sort: body.sort ?? current.sort,
  };
}

type Switches = Pick<NewLoginProvider, 'autoRegister' | 'trustEmail' | 'enabled'>;

function switchesOf(current: Switches, body: ChangeLoginProviderDto): Switches {
  return {
    autoRegister: body.auto_register ?? current.autoRegister,
    trustEmail: body.trust_email ?? current.trustEmail,
    enabled: body.enabled ?? current.enabled,
  };
}

type Addresses = Pick<NewLoginProvider, 'authorizeUrl' | 'tokenUrl' | 'userinfoUrl' | 'issuer'>;

function addressesOf(current: Addresses, body: ChangeLoginProviderDto): Addresses {
  return {
    authorizeUrl: textOrNull(body.authorize_url, current.authorizeUrl),
    tokenUrl: textOrNull(body.token_url, current.tokenUrl),
    userinfoUrl: textOrNull(body.userinfo_url, current.userinfoUrl),
    issuer: textOrNull(body.issuer, current.issuer),
  };
}

/** null means none where there is no template's value to fall back to. */
function omitsUserinfo(
  { withoutUserinfo }: Pick<NewLoginProvider, 'withoutUserinfo'>,
  { userinfo_url: given }: ChangeLoginProviderDto,
  { endpoints }: ProviderPreset,
): boolean {
  return given === undefined ? withoutUserinfo : given === null && endpoints.userinfoUrl === null;
}

const kept = <T>(given: T | null | undefined, current: T | null): T | null => (given === undefined ? current : given);

const textOrNull = (given: string | null | undefined, current: string | null): string | null =>
  given === '' ? null : kept(given, current);

/** Rejects an option that cannot have an effect, because it would suggest one. */
function ineffectiveOptions({ trustEmail }: NewLoginProvider, { emailTrust }: ProviderPreset): FieldProblem[] {
  return trustEmail && emailTrust === 'never' ? [{ field: 'trust_email', code: 'email_never_verified' }] : [];
}
