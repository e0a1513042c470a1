import { Injectable } from '@nestjs/common';
import { emailCodeRequired, phoneCodeRequired, registrationEnabled } from '../auth';
import { LoginAddresses, Upstreams } from '../oauth';
import { Environment, serviceVersion } from '../platform/config';
import { cookiePrefix } from '../platform/http';
import { languages } from '../platform/i18n';
import { appLogo, appName, appPrimaryColor, Setting, SettingsReader } from '../platform/settings';
import { LoginMethods } from '../session';
import { PASSWORD_LENGTH } from '../users';
import { CodeChannels } from '../verification';
import { InfoDto } from './info.dto';

@Injectable()
export class InfoService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
    private readonly methods: LoginMethods,
    private readonly channels: CodeChannels,
    private readonly upstreams: Upstreams,
    private readonly addresses: LoginAddresses,
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
      verification: await this.verification(),
      oauth_providers: await this.oauthProviders(),
      password: { min_length: PASSWORD_LENGTH.min, max_length: PASSWORD_LENGTH.max },
      branding: { logo: await read(appLogo), primary_color: await read(appPrimaryColor) },
      cookie_prefix: await read(cookiePrefix),
    };
  }

  private async verification(): Promise<InfoDto['verification']> {
    const channels = await this.channels.offered();
    return { enabled: channels.length > 0, channels };
  }

  private async oauthProviders(): Promise<InfoDto['oauth_providers']> {
    const providers = await this.upstreams.enabled();
    return providers.map(({ name, label, icon }) => ({
      name,
      label,
      icon: icon ?? '',
      login_url: this.addresses.start(name),
    }));
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
