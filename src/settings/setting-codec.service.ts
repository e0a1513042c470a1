import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { SecretBox } from '../platform/crypto';
import { Log } from '../platform/logging';
import { Setting } from '../platform/settings';

const MASK = '••••••';

/** Converts between a setting's value and its stored form. Secrets are sealed, and null means the default. */
@Injectable()
export class SettingCodecService {
  /** Bounded by the stored values: a value that breaks its rule cannot be stored again. */
  private readonly warned = new Set<string>();

  constructor(
    private readonly box: SecretBox,
    private readonly log: Log,
    private readonly environment: Environment,
  ) {}

  /** The effective value when nothing is stored. */
  defaultOf<T>({ defaultValue, defaultOutsideProduction = defaultValue }: Setting<T>): T {
    return this.environment.isProduction ? defaultValue : defaultOutsideProduction;
  }

  toStored(setting: Setting, value: unknown): unknown {
    return setting.secret && value !== null ? this.box.seal(JSON.stringify(value), contextOf(setting)) : value;
  }

  /**
   * Returns the stored value unchecked, or null for the default. Throws `SecretBoxError` when no key of the ring opens
   * a secret.
   */
  fromStored(setting: Setting, stored: unknown): unknown {
    if (!setting.secret || typeof stored !== 'string') return stored ?? null;
    return JSON.parse(this.box.open(stored, contextOf(setting)));
  }

  /**
   * Seals the secret with the first key, or returns undefined when the first key already sealed it. Throws
   * `SecretBoxError` when no key opens it.
   */
  reseal(setting: Setting, sealed: string): string | undefined {
    const plaintext = this.box.open(sealed, contextOf(setting));
    return this.box.needsReseal(sealed) ? this.box.seal(plaintext, contextOf(setting)) : undefined;
  }

  /**
   * The effective value for a stored one. Falls back to the default when the value breaks a rule added after it was
   * stored.
   */
  effectiveValue<T>(setting: Setting<T>, stored: unknown): T {
    const value = this.fromStored(setting, stored);
    if (value === null) return this.defaultOf(setting);
    const parsed = setting.kind.parse(value);
    if ('value' in parsed) return parsed.value;
    this.warnOnce(setting, stored, parsed.violation);
    return this.defaultOf(setting);
  }

  /**
   * The value for the audit log: the effective value, masked for a secret that is set, null for a secret that is not.
   */
  toAudit(setting: Setting, stored: unknown): unknown {
    const isSet = stored !== null && stored !== undefined;
    if (setting.secret) return isSet ? MASK : null;
    return isSet ? stored : this.defaultOf(setting);
  }

  /** Logs once per value, because requests read settings all the time. */
  private warnOnce({ key }: Setting, stored: unknown, rule: unknown): void {
    const broken = JSON.stringify([key, stored]);
    if (this.warned.has(broken)) return;
    this.warned.add(broken);
    this.log.warn('A stored setting value breaks its rule; using the default', { setting: key, rule });
  }
}

const contextOf = ({ key }: Setting): string => `setting|${key}`;
