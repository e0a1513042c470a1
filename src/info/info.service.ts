import { Injectable } from '@nestjs/common';
import { emailCodeRequired, phoneCodeRequired, registrationEnabled } from '../auth';
import { Environment, serviceVersion } from '../platform/config';
import { cookiePrefix } from '../platform/http';
import { languages } from '../platform/i18n';
import { Setting, SettingsReader } from '../platform/settings';
import { LoginMethods } from '../session';
import { PASSWORD_LENGTH } from '../users';
import { InfoDto } from './info.dto';
import { appLogo, appName, appPrimaryColor } from './info.settings';

@Injectable()
export class InfoService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
    private readonly methods: LoginMethods,
  ) {}

  async describe(): Promise<InfoDto> {
    const read = <T>(setting: Setting<T>): Promise<T> => this.settings.get(setting);
    return {
      name: await read(appName),
      version: serviceVersion,
      scope: this.environment.serviceScope,
      locales: [...languages],
      registration: {
        enabled: await read(registrationEnabled),
        email_code_required: await read(emailCodeRequired),
        phone_code_required: await read(phoneCodeRequired),
      },
      login_methods: await this.loginMethods(),
      oauth_providers: [],
      verification: { enabled: false, channels: [] },
      password: { min_length: PASSWORD_LENGTH.min, max_length: PASSWORD_LENGTH.max },
      branding: { logo: await read(appLogo), primary_color: await read(appPrimaryColor) },
      cookie_prefix: await read(cookiePrefix),
    };
  }

  /** A method that is not set up cannot be offered, whatever its switch says. */
  private async loginMethods(): Promise<InfoDto['login_methods']> {
    return Promise.all(
      this.methods.all().map(async (method) => ({
        type: method.type,
        enabled: (await this.methods.isEnabled(method.type)) && (await method.isConfigured()),
      })),
    );
  }
}
