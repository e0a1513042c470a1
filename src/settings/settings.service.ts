import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit';
import { SettingAct, settingActs } from './setting.acts';
import { CacheFactory, ReadThroughCache, Snapshot } from '../platform/cache';
import { actingUserId } from '../platform/context';
import { isDatabaseUnavailable, Transactions } from '../platform/database';
import { andThen, MaybePromise } from '../platform/util';
import { PreviousValue, Setting, SettingDuties, SettingsReader } from '../platform/settings';
import { StoredSetting } from './stored-setting.entity';
import { SettingRepository } from './setting.repository';
import { SettingCodecService } from './setting-codec.service';

export type StoredSettings = ReadonlyMap<string, StoredSetting>;

/** The stored settings at one moment. Each value is parsed, and a secret opened, once. */
class LoadedSettings {
  private readonly parsed = new Map<Setting, unknown>();

  constructor(
    readonly stored: StoredSettings,
    private readonly values: SettingCodecService,
  ) {}

  get<T>(setting: Setting<T>): T {
    const known = this.parsed.get(setting) as T | undefined;
    if (known !== undefined) return known;
    const value = this.values.effectiveValue(setting, this.stored.get(setting.key)?.value);
    this.parsed.set(setting, value);
    return value;
  }
}

export interface SettingWrite {
  readonly setting: Setting;
  /** A value that the setting's kind accepts, or null for the default. */
  readonly value: unknown;
  readonly reason?: string | null;
  /** Default: an update. */
  readonly act?: SettingAct;
}

/** How long the last loaded values are used while the database is unavailable. */
const OUTAGE_MS = 60_000;
/** Pause before the next query to an unavailable database, while the last values are usable. */
const REST_MS = 1_000;
/** The longest lifetime that a setting controls: the known-device cookie. */
const HISTORY_DAYS = 400;
const MAX_HISTORY = 20;

@Injectable()
export class SettingsService extends SettingsReader {
  private readonly snapshot: Snapshot<LoadedSettings>;
  private readonly past: ReadThroughCache<readonly PreviousValue<unknown>[]>;
  private last: { settings: LoadedSettings; at: number } | undefined;
  private awayAt = -Infinity;

  constructor(
    private readonly transactions: Transactions,
    private readonly repository: SettingRepository,
    private readonly values: SettingCodecService,
    private readonly audit: AuditService,
    private readonly duties: SettingDuties,
    caches: CacheFactory,
  ) {
    super();
    this.snapshot = caches.createSnapshot('setting', () => this.load());
    this.past = caches.create('setting_history');
  }

  get<T>(setting: Setting<T>): MaybePromise<T> {
    return andThen(this.snapshot.get(), (settings) => settings.get(setting));
  }

  /** Reads the database without the cache, for transactions that decide by the value. */
  async latest<T>(setting: Setting<T>): Promise<T> {
    return this.values.effectiveValue(setting, (await this.repository.find(setting.key))?.value);
  }

  override getCached<T>(setting: Setting<T>): T | undefined {
    return (this.snapshot.getCached() ?? this.lastSettings())?.get(setting);
  }

  override history<T>(setting: Setting<T>): MaybePromise<readonly PreviousValue<T>[]> {
    const found = this.past.get(setting.key, () => this.loadHistory(setting));
    return andThen(found, (values = []) => values as readonly PreviousValue<T>[]);
  }

  override reload(): void {
    this.awayAt = -Infinity;
    this.snapshot.invalidateLocal();
  }

  async stored(): Promise<StoredSettings> {
    return (await this.snapshot.get()).stored;
  }

  /**
   * Stores a value from code, without the validators across settings. Throws when the setting's kind rejects the value.
   */
  async set<T>(setting: Setting<T>, value: T): Promise<void> {
    const parsed = setting.kind.parse(value);
    if (!('value' in parsed)) throw new RangeError(`${setting.key}: ${parsed.violation}`);
    await this.transactions.run(async () => {
      await this.repository.lock();
      await this.write({ setting, value: parsed.value });
    });
  }

  /** Call in a transaction that holds the repository's lock. */
  async write({ setting, value, reason = null, act = settingActs.update }: SettingWrite): Promise<void> {
    const stored = this.values.toStored(setting, value);
    const before = await this.repository.put({ key: setting.key, value: stored, changedBy: actingUserId(), reason });
    this.awayAt = -Infinity;
    await this.duties.run(setting, this.values.effectiveValue(setting, stored));
    const version = before?.version ?? 0;
    await this.audit.record(act, {
      target: { type: 'setting', id: setting.key },
      before: { value: this.values.toAudit(setting, before?.value), version },
      after: { value: this.values.toAudit(setting, stored), version: version + 1 },
      ...(reason !== null && { reason }),
    });
    await this.snapshot.invalidate();
    await this.past.invalidate(setting.key);
  }

  private lastSettings(): LoadedSettings | undefined {
    return this.last && performance.now() - this.last.at < OUTAGE_MS ? this.last.settings : undefined;
  }

  private async load(): Promise<LoadedSettings> {
    // In a transaction the database is reachable, and its own reads must win over the last values.
    const isResting = !this.transactions.isOpen && performance.now() - this.awayAt < REST_MS;
    const last = isResting ? this.lastSettings() : undefined;
    return last ?? this.loadNow();
  }

  private async loadNow(): Promise<LoadedSettings> {
    try {
      const rows = await this.repository.findAll();
      const settings = new LoadedSettings(new Map(rows.map((row) => [row.key, row])), this.values);
      // A transaction may see values that it never commits.
      if (!this.transactions.isOpen) this.last = { settings, at: performance.now() };
      return settings;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      this.awayAt = performance.now();
      const last = this.lastSettings();
      if (!last) throw error;
      return last;
    }
  }

  private async loadHistory<T>(setting: Setting<T>): Promise<readonly PreviousValue<T>[]> {
    const changes = await this.repository.recentHistory(setting.key, HISTORY_DAYS, MAX_HISTORY);
    return changes.map(({ fromValue, changedAt }) => ({
      value: this.values.effectiveValue(setting, fromValue),
      until: changedAt,
    }));
  }
}
