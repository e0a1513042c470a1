import { Injectable } from '@nestjs/common';
import { Environment } from '../platform/config';
import { SecretBox } from '../platform/crypto';
import { Log } from '../platform/logging';
import { Setting } from '../platform/settings';

const MASK = '••••••';

/** Between a setting's value and the form it is stored in: secrets are sealed, and null stands for the default. */
@Injectable()
export class SettingCodecService {
  /** No more than are stored: a value that breaks its rule is not stored anew. */
  private readonly told = new Set<string>();

  constructor(
    private readonly box: SecretBox,
    private readonly log: Log,
    private readonly environment: Environment,
  ) {}

  /** The value in force where none is stored. */
  defaultOf<T>({ defaultValue, defaultOutsideProduction = defaultValue }: Setting<T>): T {
    return this.environment.isProduction ? defaultValue : defaultOutsideProduction;
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

  /** The value in force where this is stored: the default also where it breaks a rule that is younger than it. */
  effectiveValue<T>(setting: Setting<T>, stored: unknown): T {
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

  /** Settings are read with every request, and some with their history. */
  private tellOnce({ key }: Setting, stored: unknown, rule: unknown): void {
    const broken = JSON.stringify([key, stored]);
    if (this.told.has(broken)) return;
    this.told.add(broken);
    this.log.warn('A stored value of a setting breaks its rule; the default stands in for it', { setting: key, rule });
  }
}

const contextOf = ({ key }: Setting): string => `setting|${key}`;
