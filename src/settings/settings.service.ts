import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { SharedState, SharedStates } from '../platform/cache';
import { currentRequest } from '../platform/context';
import { isDatabaseUnavailable, Transactions } from '../platform/database';
import { FormerValue, Setting, SettingsReader } from '../platform/settings';
import { SettingRow } from './setting.entity';
import { SettingRepository } from './setting.repository';
import { StoredValues } from './stored-values';

export type StoredSettings = ReadonlyMap<string, SettingRow>;

export interface SettingWrite {
  readonly setting: Setting;
  /** A value that the setting's kind accepts; null for the default. */
  readonly value: unknown;
  readonly reason?: string | null;
  /** What the audit calls it. */
  readonly action?: 'setting.update' | 'setting.rollback';
}

const ALL = 'all';
/** How long the last values seen stand in while the database is away. */
const OUTAGE_MS = 60_000;
/** How long a database that was away is not asked again, where there are last values. */
const REST_MS = 1_000;
/** Nothing that a setting may have shaped lives longer: the cookie that knows a device. */
const FORMER_DAYS = 400;
const MOST_FORMER = 20;

@Injectable()
export class SettingsService extends SettingsReader {
  private readonly state: SharedState<StoredSettings>;
  private readonly past: SharedState<readonly FormerValue<unknown>[]>;
  private last: { settings: StoredSettings; at: number } | undefined;
  private awayAt = -Infinity;

  constructor(
    private readonly transactions: Transactions,
    private readonly repository: SettingRepository,
    private readonly values: StoredValues,
    private readonly audit: Audit,
    states: SharedStates,
  ) {
    super();
    this.state = states.create<StoredSettings>('setting', { maxEntries: 1 });
    this.past = states.create('setting_history');
  }

  async get<T>(setting: Setting<T>): Promise<T> {
    return this.current(setting) ?? this.values.inForce(setting, (await this.stored()).get(setting.key)?.value);
  }

  override current<T>(setting: Setting<T>): T | undefined {
    const stored = this.state.peek(ALL);
    return stored && this.values.inForce(setting, stored.get(setting.key)?.value);
  }

  /** The value that the database has now, as a transaction must know it that decides by it. */
  async latest<T>(setting: Setting<T>): Promise<T> {
    return this.values.inForce(setting, (await this.repository.find(setting.key))?.value);
  }

  override lastKnown<T>(setting: Setting<T>): T | undefined {
    const settings = this.lastSettings();
    return settings && this.values.inForce(setting, settings.get(setting.key)?.value);
  }

  override currentFormer<T>(setting: Setting<T>): readonly FormerValue<T>[] | undefined {
    return this.past.peek(setting.key) as readonly FormerValue<T>[] | undefined;
  }

  override async former<T>(setting: Setting<T>): Promise<readonly FormerValue<T>[]> {
    return ((await this.past.read(setting.key, () => this.loadFormer(setting))) ?? []) as readonly FormerValue<T>[];
  }

  override reload(): void {
    this.awayAt = -Infinity;
    this.state.distrust(ALL);
  }

  /** What is stored, by key. */
  async stored(): Promise<StoredSettings> {
    return (await this.state.read(ALL, () => this.load())) ?? new Map<string, SettingRow>();
  }

  /** Stores a value that the setting's kind accepts; anything else throws. For code: rules between settings are not asked. */
  async set<T>(setting: Setting<T>, value: T): Promise<void> {
    const parsed = setting.kind.parse(value);
    if (!('value' in parsed)) throw new RangeError(`${setting.key}: ${parsed.violation}`);
    await this.transactions.run(async () => {
      await this.repository.lock();
      await this.write({ setting, value: parsed.value });
    });
  }

  /** In a transaction that holds the repository's lock. */
  async write({ setting, value, reason = null, action = 'setting.update' }: SettingWrite): Promise<void> {
    const stored = this.values.toStored(setting, value);
    const changedBy = currentRequest()?.caller?.userId ?? null;
    const before = await this.repository.put({ key: setting.key, value: stored, changedBy, reason });
    this.awayAt = -Infinity;
    const version = before?.version ?? 0;
    await this.audit.record({
      action,
      target: { type: 'setting', id: setting.key },
      before: { value: this.values.toAudit(setting, before?.value), version },
      after: { value: this.values.toAudit(setting, stored), version: version + 1 },
      ...(reason !== null && { reason }),
    });
    await this.state.forget(ALL);
    await this.past.forget(setting.key);
  }

  private lastSettings(): StoredSettings | undefined {
    return this.last && performance.now() - this.last.at < OUTAGE_MS ? this.last.settings : undefined;
  }

  private async load(): Promise<StoredSettings> {
    // Within a transaction the database has just answered, and what it says is what counts.
    const isResting = !this.transactions.isOpen && performance.now() - this.awayAt < REST_MS;
    const last = isResting ? this.lastSettings() : undefined;
    return last ?? this.loadNow();
  }

  private async loadNow(): Promise<StoredSettings> {
    try {
      const rows = await this.repository.findAll();
      const settings = new Map(rows.map((row) => [row.key, row]));
      // A transaction may see what is never committed.
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

  private async loadFormer<T>(setting: Setting<T>): Promise<readonly FormerValue<T>[]> {
    const changes = await this.repository.recentHistory(setting.key, FORMER_DAYS, MOST_FORMER);
    return changes.map(({ fromValue, changedAt }) => ({
      value: this.values.inForce(setting, fromValue),
      until: changedAt,
    }));
  }
}
