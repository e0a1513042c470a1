import { Injectable } from '@nestjs/common';
import { Transactions } from '../platform/database';
import { FieldProblem, platformErrors, ProblemError } from '../platform/errors';
import {
  findSetting,
  SettingsDraft,
  Setting,
  SettingsValidator,
  SettingsValidators,
  SettingViolation,
} from '../platform/settings';
import { SettingAuthorityService } from './setting-authority.service';
import { RequestedUpdate, evaluateBatch, EvaluatedUpdate, violationProblem, proposalOf } from './setting-batch';
import { SettingChange } from './setting-change.entity';
import { StoredSetting } from './stored-setting.entity';
import { SettingRepository } from './setting.repository';
import { settingsErrors } from './settings.errors';
import { SettingsService, SettingWrite, StoredSettings } from './settings.service';
import { SettingCodecService } from './setting-codec.service';
import { settingActs } from './setting.acts';

export interface UpdateOptions {
  readonly reason?: string | undefined;
  /** Returns the result without storing it. */
  readonly dryRun?: boolean | undefined;
}

/** A setting with its stored row. No row means that it never changed. */
export interface SettingWithValue {
  readonly setting: Setting;
  readonly row: StoredSetting | undefined;
}

const HISTORY_LIMIT = 200;

/** Rolls back a dry run and carries its result out of the transaction. */
class DryRunDone extends Error {
  constructor(readonly settings: readonly SettingWithValue[]) {
    super('dry run');
  }
}

/** Applies changes made by administrators: all or none, with every failure reported and each change in the history. */
@Injectable()
export class SettingUpdatesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly repository: SettingRepository,
    private readonly settings: SettingsService,
    private readonly values: SettingCodecService,
    private readonly checks: SettingsValidators,
    private readonly authority: SettingAuthorityService,
  ) {}

  /** Throws `reauthentication_required`, or `settings_update_failed` with every failure. Then no change is stored. */
  async update(
    updates: readonly RequestedUpdate[],
    { reason, dryRun = false }: UpdateOptions,
  ): Promise<readonly SettingWithValue[]> {
    await this.authority.requireRecentLogin(settingsOf(updates));
    try {
      return await this.transactions.run(async () => {
        const changed = await this.apply(updates, { reason: reason ?? null });
        if (dryRun) throw new DryRunDone(changed);
        return changed;
      });
    } catch (error) {
      if (error instanceof DryRunDone) return error.settings;
      throw error;
    }
  }

  /**
   * Restores the value of an earlier version as a new version. Version 0 is the default.
   * Throws `not_found`, `reauthentication_required`, or `settings_update_failed` when the value is no longer allowed or
   * the caller may not change the setting. Authority is checked before the version is looked up.
   */
  async rollback(key: string, version: number): Promise<SettingWithValue> {
    const setting = knownSetting(key);
    await this.authority.requireRecentLogin([setting]);
    return this.transactions.run(async () => {
      const denied = await this.authority.deniedAmong([setting]);
      if (denied.size > 0) rejectIfAny([{ field: 'version', code: 'escalation_denied' }]);
      const value = await this.valueAt(setting, version);
      const [changed] = await this.apply([{ key, value }], { act: settingActs.rollback }).catch(reportOnVersion);
      if (!changed) throw new Error(`Rolling ${key} back changed nothing`);
      return changed;
    });
  }

  /** Newest first, at most 200. Throws `not_found`. */
  async history(key: string): Promise<{ setting: Setting; changes: SettingChange[] }> {
    const setting = knownSetting(key);
    return { setting, changes: await this.repository.history(setting.key, HISTORY_LIMIT) };
  }

  private async valueAt(setting: Setting, version: number): Promise<unknown> {
    if (version === 0) return null;
    const change = await this.repository.findVersion(setting.key, version);
    if (!change) throw platformErrors.notFound();
    return this.values.fromStored(setting, change.toValue);
  }

  private async apply(
    updates: readonly RequestedUpdate[],
    how: Pick<SettingWrite, 'reason' | 'act'>,
  ): Promise<SettingWithValue[]> {
    const named = new Set(settingsOf(updates));
    const denied = await this.authority.deniedAmong(named);
    for (const check of this.checks.all()) {
      if (check.watches.some((setting) => named.has(setting))) await check.prepare();
    }
    await this.repository.lock();
    const stored = await this.read();
    const versionOf = (key: string): number => stored.get(key)?.version ?? 0;
    const { accepted, problems } = evaluateBatch(updates, { denied, versionOf });
    const proposed = this.propose(accepted, stored, how);
    const violations = await this.violations(accepted, proposed, (check) => check.check(proposed));
    rejectIfAny([...problems, ...violations]);
    for (const { setting, value } of accepted) await this.settings.write({ setting, value, ...how });
    rejectIfAny(await this.violations(accepted, proposed, (check) => check.checkStored(proposed)));
    return this.asStored(accepted);
  }

  private propose(
    accepted: readonly EvaluatedUpdate[],
    stored: StoredSettings,
    { act }: Pick<SettingWrite, 'act'>,
  ): SettingsDraft {
    const effective = <T>(setting: Setting<T>): T =>
      this.values.effectiveValue(setting, stored.get(setting.key)?.value);
    const defaultOf = <T>(setting: Setting<T>): T => this.values.defaultOf(setting);
    return proposalOf(accepted, { effective, defaultOf }, { isRollback: act === settingActs.rollback });
  }

  private async violations(
    accepted: readonly EvaluatedUpdate[],
    proposed: SettingsDraft,
    ask: (check: SettingsValidator) => Promise<readonly SettingViolation[]>,
  ): Promise<FieldProblem[]> {
    const problems: FieldProblem[] = [];
    for (const check of this.checks.all()) {
      if (!check.watches.some((setting) => proposed.isNamed(setting))) continue;
      problems.push(...(await ask(check)).map((violation) => violationProblem(violation, accepted, check.watches)));
    }
    return problems;
  }

  private async asStored(accepted: readonly EvaluatedUpdate[]): Promise<SettingWithValue[]> {
    const stored = await this.read();
    return accepted.map(({ setting }) => ({ setting, row: stored.get(setting.key) }));
  }

  private async read(): Promise<StoredSettings> {
    const rows = await this.repository.findAll();
    return new Map(rows.map((row) => [row.key, row]));
  }
}

function rejectIfAny(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw settingsErrors.settingsUpdateFailed({ fields: problems });
}

function knownSetting(key: string): Setting {
  const setting = findSetting(key);
  if (!setting) throw platformErrors.notFound();
  return setting;
}

/** A rollback request has a version and no value, so its problems are reported on `version`. */
function reportOnVersion(error: unknown): never {
  if (!(error instanceof ProblemError) || error.code !== settingsErrors.settingsUpdateFailed.code) throw error;
  throw settingsErrors.settingsUpdateFailed({ fields: error.fields.map((found) => ({ ...found, field: 'version' })) });
}

const settingsOf = (updates: readonly RequestedUpdate[]): Setting[] =>
  updates.flatMap(({ key }) => findSetting(key) ?? []);
