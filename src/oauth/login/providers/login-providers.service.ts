import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../audit';
import { Caller } from '../../../platform/context';
import { Transactions } from '../../../platform/database';
import { FieldProblem, platformErrors } from '../../../platform/errors';
import { RolesService } from '../../../rbac';
import { ChangeLoginProviderDto, CreateLoginProviderDto } from './dto/login-provider-input.dto';
import { LoginProviderDto } from './dto/login-provider.dto';
import { LoginAddressesService } from './login-addresses.service';
import { LoginProvider } from './login-provider.entity';
import { LoginProviderRepository } from './login-provider.repository';
import { describeProvider, loginProviderDto, targetOf } from './login-provider.view';
import { NO_PRESET, ProviderPreset } from './preset';
import { ProviderAdapters } from './provider-adapters';
import { ProviderPlan, ProviderReviewService } from './provider-review.service';
import { authorizationServerErrors } from './providers.errors';
import { StoredIdentityProviderRegistry } from './stored-identity-provider.registry';
import { loginProviderActs } from '../third-party-login.acts';

const MAX_PROVIDERS = 100;

/** The row to store. */
type Stored = Pick<ProviderPlan, 'row' | 'secretReplaced'>;

/** Lists, creates and changes login providers for administrators. */
@Injectable()
export class LoginProvidersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly repository: LoginProviderRepository,
    private readonly adapters: ProviderAdapters,
    private readonly reviews: ProviderReviewService,
    private readonly roles: RolesService,
    private readonly identityProviders: StoredIdentityProviderRegistry,
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
    const plan = await this.reviews.planNew(body, adapter);
    return this.transactions.run(async () => {
      await this.reviews.requireTrust(caller, plan);
      await this.repository.lock();
      if ((await this.repository.count()) >= MAX_PROVIDERS) {
        throw validationError([{ field: 'name', code: 'most_providers', params: { max: MAX_PROVIDERS } }]);
      }
      await this.requireFree(plan.row.name);
      await this.repository.insert(plan.row);
      await this.audit.record(loginProviderActs.create, {
        target: targetOf(plan.row),
        after: describeProvider(plan.row, adapter.preset),
      });
      return this.done(plan.row.id);
    });
  }

  /**
   * Errors: `validation_failed`, `not_found`, `escalation_denied`, `reauthentication_required`, `name_taken`,
   * `in_use` for another name while organizations accept the present one,
   * `last_admin` if disabling it would leave no administrator able to log in.
   */
  async change(caller: Caller, id: string, body: ChangeLoginProviderDto): Promise<LoginProviderDto> {
    const seen = await this.existing(id);
    const adapter = this.adapters.find(seen.template);
    if (!adapter) return this.switchOff(seen, body);
    const plan = await this.reviews.planChange(seen, body, adapter);
    const store = (): Promise<LoginProviderDto> => this.store(seen, plan, adapter.preset);
    return this.transactions.run(async () => {
      await this.reviews.requireTrust(caller, plan);
      return seen.enabled && !plan.row.enabled ? this.roles.keepAdministrators(store) : store();
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
    await this.audit.record(loginProviderActs.update, {
      target: targetOf(plan.row),
      before: describeProvider(seen, preset),
      after: { ...describeProvider(plan.row, preset), client_secret_replaced: plan.secretReplaced },
    });
    return this.done(seen.id);
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

  private unknownTemplate(): FieldProblem {
    const options = this.adapters.all().map(({ template }) => template);
    return { field: 'template', code: 'one_of', params: { options: options.join(', ') } };
  }

  private show(row: LoginProvider): LoginProviderDto {
    return loginProviderDto(row, this.adapters.presetOf(row.template), this.addresses.callback(row.name));
  }
}

function isSwitchOff(body: ChangeLoginProviderDto): boolean {
  const given = Object.entries(body).filter(([, value]) => value !== undefined);
  return given.length === 1 && body.enabled === false;
}

const validationError = (fields: readonly FieldProblem[]): Error => platformErrors.validationFailed({ fields });
