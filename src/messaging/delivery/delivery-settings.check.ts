import { Injectable, OnModuleInit } from '@nestjs/common';
import { Environment } from '../../platform/config';
import {
  SettingsDraft,
  Setting,
  SettingsValidator,
  SettingsValidators,
  SettingViolation,
} from '../../platform/settings';
import { readEndpoint, readWebHook } from './addresses';
import {
  aliyun,
  boundSecrets,
  httpHook,
  smtpPort,
  smtpSecure,
  SUBMISSION_PORT,
  tencent,
  twilio,
} from './delivery.settings';

const ENDPOINTS = [aliyun.endpoint, tencent.endpoint, twilio.endpoint];
const IMPLICIT_TLS = 465;

/** Where a secret goes: another path of a host is no other place. */
const placeOf = (value: string): string => (readEndpoint(value) ?? readWebHook(value))?.host ?? value.toLowerCase();

/**
 * What holds between the settings of mail and texts. Above all, who may change settings does not learn their secrets: one
 * that is kept is never sent to a place it was not given for, be it now or from the history.
 */
@Injectable()
export class DeliverySettingsCheck extends SettingsValidator implements OnModuleInit {
  readonly watches: readonly Setting[] = [
    smtpPort,
    smtpSecure,
    ...ENDPOINTS,
    ...boundSecrets.flatMap(({ secret, destination }) => [secret, destination]),
  ];

  constructor(
    private readonly checks: SettingsValidators,
    private readonly environment: Environment,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.add(this);
  }

  async check(proposed: SettingsDraft): Promise<readonly SettingViolation[]> {
    return [...this.checkPort(proposed), ...this.checkPlainHttp(proposed), ...this.checkSecrets(proposed)];
  }

  /** Port 465 speaks TLS at once and 587 does not (RFC 8314 §3.3): with the other, a client waits until it gives up. */
  private checkPort(proposed: SettingsDraft): SettingViolation[] {
    if (!proposed.isNamed(smtpPort) && !proposed.isNamed(smtpSecure)) return [];
    const port = proposed.get(smtpPort);
    const isWrong = proposed.get(smtpSecure) ? port === SUBMISSION_PORT : port === IMPLICIT_TLS;
    return isWrong ? [{ setting: smtpSecure, code: 'smtp_port_secure' }] : [];
  }

  private checkPlainHttp(proposed: SettingsDraft): SettingViolation[] {
    if (!this.environment.isProduction) return [];
    return [...ENDPOINTS, httpHook.url]
      .filter((setting) => proposed.isNamed(setting) && proposed.get(setting).toLowerCase().startsWith('http:'))
      .map((setting) => ({ setting, code: 'https_only' }));
  }

  private checkSecrets(proposed: SettingsDraft): SettingViolation[] {
    return boundSecrets.flatMap(({ secret, destination }) => {
      if (proposed.get(secret) === '') return [];
      if (proposed.isNamed(secret)) {
        // The history does not record which endpoint a secret belonged to.
        return proposed.isRollback ? [{ setting: secret, code: 'secret_needed_again' }] : [];
      }
      const isMoved = proposed.isChanged(destination) && this.isElsewhere(proposed, destination);
      return isMoved ? [{ setting: destination, code: 'secret_needed_again' }] : [];
    });
  }

  private isElsewhere(proposed: SettingsDraft, destination: Setting<string>): boolean {
    const next = proposed.get(destination);
    return next !== '' && placeOf(next) !== placeOf(proposed.before(destination));
  }
}
