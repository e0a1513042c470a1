import { Injectable } from '@nestjs/common';
import { Caller } from '../../../platform/context';
import { newId } from '../../../platform/crypto';
import { FieldProblem, platformErrors } from '../../../platform/errors';
import { ChangeLoginProviderDto, CreateLoginProviderDto } from './dto/login-provider-input.dto';
import { LoginProvider } from './login-provider.entity';
import { NewLoginProvider } from './login-provider.repository';
import { OAuthProviderAdapter } from './oauth-provider-adapter';
import { applyChange, emptyProvider } from './provider-change';
import { ProviderSecretsService } from './provider-secrets.service';
import { newOrigins, ProposedProvider, ProviderGuard } from './provider.guard';
import { resolveProvider } from './resolve-provider';

/** A valid change: the row to store, and what the change makes of the provider. */
export interface ProviderPlan {
  readonly row: NewLoginProvider;
  readonly secretReplaced: boolean;
  readonly before: ProposedProvider;
  readonly after: ProposedProvider;
}

type ValidatedChange = Omit<ProviderPlan, 'before'>;

interface ChangeRequest {
  readonly current: NewLoginProvider;
  readonly isNew: boolean;
  readonly body: ChangeLoginProviderDto;
}

/** The only template for the provider of an organization. */
const ORGANIZATION_TEMPLATE = 'oidc';

const SECRET_NEEDED: FieldProblem = { field: 'client_secret', code: 'secret_needed_again' };

/** Reviews new and changed login providers before they are stored: whether they are valid, and who may approve them. */
@Injectable()
export class ProviderReviewService {
  constructor(
    private readonly secrets: ProviderSecretsService,
    private readonly guard: ProviderGuard,
  ) {}

  /** Makes DNS lookups, so call it before the transaction. Errors: `validation_failed`. */
  async planNew(body: CreateLoginProviderDto, adapter: OAuthProviderAdapter): Promise<ProviderPlan> {
    requireOpenId(body);
    const blank = emptyProvider(newId(), body, adapter.preset);
    const change = await this.validate({ current: blank, isNew: true, body }, adapter);
    return { ...change, before: asTemplated(blank, change.row, adapter) };
  }

  /** Makes DNS lookups, so call it before the transaction. Errors: `validation_failed`. */
  async planChange(
    current: LoginProvider,
    body: ChangeLoginProviderDto,
    adapter: OAuthProviderAdapter,
  ): Promise<ProviderPlan> {
    const change = await this.validate({ current, isNew: false, body }, adapter);
    return { ...change, before: proposed(current, adapter) };
  }

  /**
   * Requires full authority for a change of what decides who can log in, and keeps names that organizations have listed. Call
   * it in the transaction of the change. Errors: `escalation_denied`, `reauthentication_required`, `in_use`.
   */
  async requireTrust(caller: Caller, { before, after }: ProviderPlan): Promise<void> {
    if (before.resolved.name !== after.resolved.name) await this.guard.requireUnlisted(before.resolved.name);
    await this.guard.requireTrust(caller, before, after);
  }

  private async validate(
    { current, isNew, body }: ChangeRequest,
    adapter: OAuthProviderAdapter,
  ): Promise<ValidatedChange> {
    const { row, problems } = applyChange(current, body, adapter.preset);
    const given = body.client_secret ?? '';
    const secret = given === '' ? this.secrets.find(current) : given;
    const after = proposed(row, adapter, secret);
    const found = [...problems, ...(await this.guard.problemsOf(after, adapter))];
    if (secret === undefined) found.push(SECRET_NEEDED);
    const counting = isNew || row.enabled ? found : namedIn(body, found);
    const isHandedOn = given === '' && leadsElsewhere(current, after, adapter);
    if (isHandedOn && !counting.includes(SECRET_NEEDED)) counting.push(SECRET_NEEDED);
    if (counting.length > 0) throw platformErrors.validationFailed({ fields: counting });
    return { row: { ...row, clientSecret: this.sealed(current, given) }, after, secretReplaced: given !== '' };
  }

  /** The encrypted secret to store: the new one, or the stored one, which is kept even if it cannot be decrypted. */
  private sealed(current: NewLoginProvider, given: string): string | null {
    if (given !== '') return this.secrets.seal(current.id, given);
    return this.secrets.find(current) === undefined ? current.clientSecret : this.secrets.renew(current);
  }
}

/** An organization's provider is its own, while those of other templates are shared by strangers. Errors: `validation_failed`. */
function requireOpenId({ organization_id: id, template }: CreateLoginProviderDto): void {
  if (id === undefined || template === ORGANIZATION_TEMPLATE) return;
  throw platformErrors.validationFailed({ fields: [{ field: 'organization_id', code: 'openid_template' }] });
}

function proposed(row: NewLoginProvider, adapter: OAuthProviderAdapter, secret = ''): ProposedProvider {
  const { trustEmail, autoRegister } = row;
  return { resolved: resolveProvider(row, adapter.preset), trustEmail, autoRegister, secret };
}

/**
 * The provider to compare a new one with. Client and parameters may be set without full authority, because no user is
 * linked yet, but endpoints may not.
 */
function asTemplated(
  blank: NewLoginProvider,
  { clientId, params }: NewLoginProvider,
  adapter: OAuthProviderAdapter,
): ProposedProvider {
  const { resolved, ...rest } = proposed({ ...blank, clientId }, adapter);
  const own = resolveProvider({ ...blank, clientId, params }, adapter.preset).params;
  return { ...rest, resolved: { ...resolved, params: own } };
}

/** The problems in the given fields. For a disabled provider, problems of stored values do not prevent a change. */
function namedIn(body: ChangeLoginProviderDto, problems: readonly FieldProblem[]): FieldProblem[] {
  const given = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return problems.filter(({ field }) => given.some((name) => field === name || field.startsWith(`${name}.`)));
}

/** Whether the stored secret would be sent to a host that it was not entered for. */
const leadsElsewhere = (
  current: NewLoginProvider,
  after: ProposedProvider,
  { preset }: OAuthProviderAdapter,
): boolean => current.clientSecret !== null && newOrigins(resolveProvider(current, preset), after.resolved);
