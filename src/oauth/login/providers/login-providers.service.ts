import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Caller } from '../../../platform/context';
import { newId } from '../../../platform/crypto';
import { Transactions } from '../../../platform/database';
import { FieldProblem, platformErrors } from '../../../platform/errors';
import { DomainEvents } from '../../../platform/events';
import { RolesService } from '../../../rbac';
import { ChangeLoginProviderDto, CreateLoginProviderDto } from './dto/login-provider-input.dto';
import { LoginProviderDto } from './dto/login-provider.dto';
import { LoginAddressesService } from './login-addresses.service';
import { LoginProvider } from './login-provider.entity';
import { loginProviderDeleting, ProviderDeletionEvent } from './login-provider.events';
import { LoginProviderRepository, NewLoginProvider } from './login-provider.repository';
import { describeProvider, loginProviderDto } from './login-provider.view';
import { OAuthProviderAdapter } from './oauth-provider-adapter';
import { NO_PRESET, ProviderPreset } from './preset';
import { applyChange, emptyProvider } from './provider-change';
import { ProviderAdapters } from './provider-adapters';
import { newOrigins, ProposedProvider, ProviderGuard } from './provider.guard';
import { ProviderSecretsService } from './provider-secrets.service';
import { authorizationServerErrors } from './providers.errors';
import { resolveProvider } from './resolve-provider';
import { StoredIdentityProviderRegistry } from './stored-identity-provider.registry';

const MAX_PROVIDERS = 100;

interface Stored {
  readonly row: NewLoginProvider;
  readonly secretReplaced: boolean;
}

/** A valid change and its result. */
interface Plan extends Stored {
  readonly after: ProposedProvider;
}

interface Planned {
  readonly current: NewLoginProvider;
  readonly isNew: boolean;
  readonly body: ChangeLoginProviderDto;
}

/** Manages login providers for administrators. */
@Injectable()
export class LoginProvidersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly repository: LoginProviderRepository,
    private readonly adapters: ProviderAdapters,
    private readonly secrets: ProviderSecretsService,
    private readonly guard: ProviderGuard,
    private readonly roles: RolesService,
    private readonly identityProviders: StoredIdentityProviderRegistry,
    private readonly events: DomainEvents,
    private readonly addresses: LoginAddressesService,
    private readonly audit: AuditService,
  ) {}

  async list(): Promise<LoginProviderDto[]> {
    return (await this.repository.findAll()).map((row) => this.show(row));
  }

  /** Errors: `not_found`. */
  async find(id: string): Promise<LoginProviderDto> {
    return this.show(await this.existing(id));
  }

  /** Errors: `validation_failed`, `escalation_denied`, `reauthentication_required`, `name_taken`. */
  async create(caller: Caller, body: CreateLoginProviderDto): Promise<LoginProviderDto> {
    const adapter = this.adapters.find(body.template);
    if (!adapter) throw validationError([this.unknownTemplate()]);
    const blank = emptyProvider(newId(), body, adapter.preset);
    const plan = await this.plan({ current: blank, isNew: true, body }, adapter);
    return this.transactions.run(async () => {
      await this.guard.requireTrust(caller, this.asTemplated(blank, plan.row, adapter), plan.after);
      await this.repository.lock();
      if ((await this.repository.count()) >= MAX_PROVIDERS) {
        throw validationError([{ field: 'name', code: 'most_providers', params: { max: MAX_PROVIDERS } }]);
      }
      await this.requireFree(plan.row.name);
      await this.repository.insert(plan.row);
      await this.audit.record({
        action: 'oauth_provider.create',
        target: targetOf(plan.row),
        after: describeProvider(plan.row, adapter.preset),
      });
      return this.done(plan.row.id);
    });
  }

  /**
   * Errors: `validation_failed`, `not_found`, `escalation_denied`, `reauthentication_required`, `name_taken`,
   * `last_admin` if disabling it would leave no administrator able to log in.
   */
  async change(caller: Caller, id: string, body: ChangeLoginProviderDto): Promise<LoginProviderDto> {
    const seen = await this.existing(id);
    const adapter = this.adapters.find(seen.template);
    if (!adapter) return this.switchOff(seen, body);
    const plan = await this.plan({ current: seen, isNew: false, body }, adapter);
    const store = (): Promise<LoginProviderDto> => this.store(seen, plan, adapter.preset);
    return this.transactions.run(async () => {
      await this.guard.requireTrust(caller, this.proposed(seen, adapter), plan.after);
      return seen.enabled && !plan.row.enabled ? this.roles.keepAdministrators(store) : store();
    });
  }

  /**
   * Users who registered through the provider keep their accounts. With `force` they lose the link.
   * Errors: `not_found`, those of listeners (`loginProviderDeleting`). With `force` also those of the guard, and
   * `last_admin` if no administrator could log in any more.
   */
  async delete(caller: Caller, id: string, force: boolean): Promise<void> {
    await this.existing(id);
    await this.transactions.run(async () => {
      if (!force) return this.remove({ providerId: id, caller, force, done: {} });
      // Takes the authority lock first, as every other change of providers does, to prevent deadlocks.
      await this.guard.requireEverything(caller);
      return this.roles.keepAdministrators(() => this.remove({ providerId: id, caller, force, done: {} }));
    });
  }

  private async remove(deletion: ProviderDeletionEvent): Promise<void> {
    await this.repository.lock();
    // Waits for links in progress, so that they are counted.
    const before = await this.repository.findLocked(deletion.providerId);
    if (!before) throw platformErrors.notFound();
    await this.events.publish(loginProviderDeleting, deletion);
    await this.repository.delete(before.id);
    await this.identityProviders.invalidate();
    await this.audit.record({
      action: 'oauth_provider.delete',
      target: targetOf(before),
      before: describeProvider(before, this.presetOf(before)),
      after: deletion.done,
    });
  }

  /**
   * The only change allowed when the template is gone. Otherwise the provider would be offered again if the template
   * returned.
   */
  private switchOff(seen: LoginProvider, body: ChangeLoginProviderDto): Promise<LoginProviderDto> {
    if (!isSwitchOff(body)) throw validationError([this.unknownTemplate()]);
    const row = Object.assign({}, seen, { enabled: false });
    return this.transactions.run(() =>
      this.roles.keepAdministrators(() => this.store(seen, { row, secretReplaced: false }, NO_PRESET)),
    );
  }

  private async store(seen: LoginProvider, plan: Stored, preset: ProviderPreset): Promise<LoginProviderDto> {
    await this.repository.lock();
    // The row must not have changed since the validation before the transaction.
    if ((await this.existing(seen.id)).version !== seen.version) throw platformErrors.versionConflict();
    if (plan.row.name !== seen.name) await this.requireFree(plan.row.name);
    await this.repository.update(plan.row);
    await this.audit.record({
      action: 'oauth_provider.update',
      target: targetOf(plan.row),
      before: describeProvider(seen, preset),
      after: { ...describeProvider(plan.row, preset), client_secret_replaced: plan.secretReplaced },
    });
    return this.done(seen.id);
  }

  private async plan({ current, isNew, body }: Planned, adapter: OAuthProviderAdapter): Promise<Plan> {
    const { row, problems } = applyChange(current, body, adapter.preset);
    const given = body.client_secret ?? '';
    const secret = given === '' ? this.secrets.find(current) : given;
    const after = this.proposed(row, adapter, secret);
    const found = [...problems, ...(await this.guard.problemsOf(after, adapter))];
    if (secret === undefined) found.push(SECRET_NEEDED);
    const counting = isNew || row.enabled ? found : namedIn(body, found);
    const isHandedOn = given === '' && leadsElsewhere(current, after, adapter);
    if (isHandedOn && !counting.includes(SECRET_NEEDED)) counting.push(SECRET_NEEDED);
    if (counting.length > 0) throw validationError(counting);
    return { row: { ...row, clientSecret: this.sealed(current, given) }, after, secretReplaced: given !== '' };
  }

  /** The encrypted secret to store: the new one, or the stored one, which is kept even if it cannot be decrypted. */
  private sealed(current: NewLoginProvider, given: string): string | null {
    if (given !== '') return this.secrets.seal(current.id, given);
    return this.secrets.find(current) === undefined ? current.clientSecret : this.secrets.renew(current);
  }

  private proposed(row: NewLoginProvider, adapter: OAuthProviderAdapter, secret = ''): ProposedProvider {
    const { trustEmail, autoRegister } = row;
    return { resolved: resolveProvider(row, adapter.preset), trustEmail, autoRegister, secret };
  }

  /**
   * The provider to compare a new one with. Client and parameters may be set without full authority, because no user is
   * linked yet, but endpoints may not.
   */
  private asTemplated(
    blank: NewLoginProvider,
    { clientId, params }: NewLoginProvider,
    adapter: OAuthProviderAdapter,
  ): ProposedProvider {
    const { resolved, ...rest } = this.proposed({ ...blank, clientId }, adapter);
    const own = resolveProvider({ ...blank, clientId, params }, adapter.preset).params;
    return { ...rest, resolved: { ...resolved, params: own } };
  }

  private async done(id: string): Promise<LoginProviderDto> {
    await this.identityProviders.invalidate();
    return this.find(id);
  }

  private async existing(id: string): Promise<LoginProvider> {
    const row = await this.repository.find(id);
    if (!row) throw platformErrors.notFound();
    return row;
  }

  private async requireFree(name: string): Promise<void> {
    if (await this.repository.findByName(name)) throw authorizationServerErrors.nameTaken();
  }

  /** A provider whose template is gone can be shown, disabled and deleted. */
  private presetOf({ template }: LoginProvider): ProviderPreset {
    return this.adapters.find(template)?.preset ?? NO_PRESET;
  }

  private unknownTemplate(): FieldProblem {
    const options = this.adapters.all().map(({ template }) => template);
    return { field: 'template', code: 'one_of', params: { options: options.join(', ') } };
  }

  private show(row: LoginProvider): LoginProviderDto {
    return loginProviderDto(row, this.presetOf(row), this.addresses.callback(row.name));
  }
}

const SECRET_NEEDED: FieldProblem = { field: 'client_secret', code: 'secret_needed_again' };

/** The problems in the given fields. For a disabled provider, problems of stored values do not prevent a change. */
function namedIn(body: ChangeLoginProviderDto, problems: readonly FieldProblem[]): FieldProblem[] {
  const given = Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  return problems.filter(({ field }) => given.some((name) => field === name || field.startsWith(`${name}.`)));
}

function isSwitchOff(body: ChangeLoginProviderDto): boolean {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return given.length === 1 && body.enabled === false;
}

/** Whether the stored secret would be sent to a host that it was not entered for. */
const leadsElsewhere = (
  current: NewLoginProvider,
  after: ProposedProvider,
  { preset }: OAuthProviderAdapter,
): boolean => current.clientSecret !== null && newOrigins(resolveProvider(current, preset), after.resolved);

const validationError = (fields: readonly FieldProblem[]): Error => platformErrors.validationFailed({ fields });

function targetOf({ id, name }: { id: string; name: string }): { type: string; id: string; label: string } {
  return { type: 'oauth_provider', id, label: name };
}
