import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { SecretBox } from '../platform/crypto';
import { Log } from '../platform/logging';
import { Setting } from '../platform/settings';

const MASK = '••••••';

/** Between a setting's value and the form it is stored in: secrets are sealed, and null stands for the default. */
@Injectable()
export class StoredValues {
  /** By key, what was told of last. */
  private readonly told = new Map<string, string>();

  constructor(
    private readonly box: SecretBox,
    private readonly log: Log,
    private readonly environment: Environment,
  ) {}

  /** The value in force where none is stored. */
  defaultOf<T>({ fallback, fallbackOutsideProduction = fallback }: Setting<T>): T {
    return this.environment.isProduction ? fallback : fallbackOutsideProduction;
  }

  toStored(setting: Setting, value: unknown): unknown {
    return setting.secret && value !== null ? this.box.seal(JSON.stringify(value), contextOf(setting)) : value;
  }

  /** The value itself, unchecked; null for the default. Throws SecretBoxError where no key of the ring opens it. */
  fromStored(setting: Setting, stored: unknown): unknown {
    if (!setting.secret || typeof stored !== 'string') return stored ?? null;
    return JSON.parse(this.box.open(stored, contextOf(setting)));
  }

  /** The same secret under the first key, where another sealed it. Throws SecretBoxError where no key opens it. */
  reseal(setting: Setting, sealed: string): string | undefined {
    const plaintext = this.box.open(sealed, contextOf(setting));
    return this.box.needsReseal(sealed) ? this.box.seal(plaintext, contextOf(setting)) : undefined;
  }

  /** The value in force where this is stored. */
  inForce<T>(setting: Setting<T>, stored: unknown): T {
    const value = this.fromStored(setting, stored);
    if (value === null) return this.defaultOf(setting);
    const parsed = setting.kind.parse(value);
    if ('value' in parsed) return parsed.value;
    this.tellOnce(setting, stored, parsed.violation);
    return this.defaultOf(setting);
  }

  /** As audit may keep it: the value in force, masked where it is secret; null for a secret that is not set. */
  toAudit(setting: Setting, stored: unknown): unknown {
    const isSet = stored !== null && stored !== undefined;
    if (setting.secret) return isSet ? MASK : null;
    return isSet ? stored : this.defaultOf(setting);
  }

  /** Settings are read with every request. */
  private tellOnce({ key }: Setting, stored: unknown, rule: unknown): void {
    const text = JSON.stringify(stored);
    if (this.told.get(key) === text) return;
    this.told.set(key, text);
    this.log.warn('A stored setting breaks its rule; its default is in force', { setting: key, rule });
  }
}

const contextOf = ({ key }: Setting): string => `setting|${key}`;
