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

/** The destination of a secret. Another path on the same host counts as the same destination. */
const placeOf = (value: string): string => (readEndpoint(value) ?? readWebHook(value))?.host ?? value.toLowerCase();

/**
 * Validates combinations of the mail and SMS settings. An administrator must not learn stored secrets, so a stored
 * secret is never sent to a destination other than the one it was entered for, also after a rollback.
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

  /**
   * Port 465 uses TLS from the first byte, 587 STARTTLS (RFC 8314 §3.3). With the wrong mode, a client waits until it
   * times out.
   */
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
        // The history does not record the destination of a secret.
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
