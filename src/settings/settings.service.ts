import { Injectable } from '@nestjs/common';
import { Audit } from '../audit';
import { SharedState, SharedStates } from '../platform/cache';
import { currentRequest } from '../platform/context';
import { isDatabaseUnavailable, Transactions } from '../platform/database';
import { Log } from '../platform/logging';
import { Setting, SettingsReader } from '../platform/settings';
import { SettingRepository } from './setting.repository';

type Snapshot = ReadonlyMap<string, unknown>;

const ALL = 'all';
/** How long the last values seen stand in while the database is away. */
const OUTAGE_MS = 60_000;
const MASK = '••••••';

@Injectable()
export class SettingsService extends SettingsReader {
  private readonly state: SharedState<Snapshot>;
  private last: { snapshot: Snapshot; at: number } | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly repository: SettingRepository,
    private readonly audit: Audit,
    private readonly log: Log,
    states: SharedStates,
  ) {
    super();
    this.state = states.create<Snapshot>('setting', { maxEntries: 1 });
  }

  async get<T>(setting: Setting<T>): Promise<T> {
    const snapshot = (await this.state.read(ALL, () => this.load())) ?? new Map<string, unknown>();
    if (!snapshot.has(setting.key)) return setting.fallback;
    const parsed = setting.kind.parse(snapshot.get(setting.key));
    if ('value' in parsed) return parsed.value;
    this.log.warn('A stored setting breaks its rule; its default is in force', {
      setting: setting.key,
      rule: parsed.violation,
    });
    return setting.fallback;
  }

  /** Stores a value that the setting's kind accepts; anything else throws. */
  async set<T>(setting: Setting<T>, value: T): Promise<void> {
    const parsed = setting.kind.parse(value);
    if (!('value' in parsed)) throw new RangeError(`${setting.key}: ${parsed.violation}`);
    await this.transactions.run(async () => {
      const before = await this.repository.put(setting.key, parsed.value, currentRequest()?.caller?.userId ?? null);
      const shown = (stored: unknown): unknown => (setting.secret ? MASK : stored);
      await this.audit.record({
        action: 'setting.update',
        target: { type: 'setting', id: setting.key },
        before: { value: shown(before ?? setting.fallback) },
        after: { value: shown(parsed.value) },
      });
      await this.state.forget(ALL);
    });
  }

  private async load(): Promise<Snapshot> {
    try {
      const rows = await this.repository.findAll();
      const snapshot = new Map(rows.map((row) => [row.key, row.value]));
      this.last = { snapshot, at: performance.now() };
      return snapshot;
    } catch (error) {
      if (this.last && isDatabaseUnavailable(error) && performance.now() - this.last.at < OUTAGE_MS) {
        return this.last.snapshot;
      }
      throw error;
    }
  }
}
