import { Injectable } from '@nestjs/common';
import {
  deletionGraceDays,
  contactRequired,
  emailCodeRequired,
  phoneCodeRequired,
  registrationEnabled,
  registrationFirstField,
} from '../../auth';
import {
  IdentityProviderRegistry,
  InteractionsService,
  LoginAddressesService,
  OAuthProviderInfoDto,
  oauthProviderInfoDto,
  ProviderView,
} from '../../oauth';
import type { OrganizationOverlay } from '../../organizations';
import { trustedDeviceDays } from '../../mfa';
import { Environment, serviceVersion } from '../../platform/config';
import { currentRequest } from '../../platform/context';
import { areCookiesSecure, browserCookiePrefix, cookiePrefix } from '../../platform/http';
import { languages } from '../../platform/i18n';
import { MaybePromise } from '../../platform/util';
import { PASSWORD_LENGTH } from '../../platform/passwords';
import { Setting, SettingsReader } from '../../platform/settings';
import { Branding, BrandingService } from '../../settings';
import { LoginMethodRegistry } from '../../auth/login';
import { termsRequired, termsVersion } from '../../users';
import { attributeFieldDto, UserAttributesService } from '../../users/attributes';
import { CodeChannelRegistry } from '../../verification';
import { InfoDto } from './info.dto';

const isForAll = ({ organizationId }: ProviderView): boolean => organizationId === null;

const brandingDto = (branding: Branding): InfoDto['branding'] => ({
  logo: branding.logo,
  logo_dark: branding.logoDark,
  favicon: branding.favicon,
  primary_color: branding.primaryColor,
  corner_radius: branding.cornerRadius,
  font: branding.font,
  background_color: branding.backgroundColor,
  background_image: branding.backgroundImage,
  stylesheet: branding.stylesheet,
  terms: branding.terms,
  privacy: branding.privacy,
  support: branding.support,
});

@Injectable()
export class InfoService {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsReader,
    private readonly branding: BrandingService,
    private readonly methods: LoginMethodRegistry,
    private readonly channels: CodeChannelRegistry,
    private readonly identityProviders: IdentityProviderRegistry,
    private readonly addresses: LoginAddressesService,
    private readonly interactions: InteractionsService,
    private readonly attributes: UserAttributesService,
  ) {}

  /**
   * What the pages of an application's login show: with what the organization of the request has set, and only the login
   * methods that it accepts.
   * @param uid of the interaction
   */
  async describeFor(uid: string): Promise<InfoDto> {
    const [info, overlay] = await Promise.all([this.describe(), this.interactions.organizationOf(uid)]);
    if (!overlay) return info;
    const organization = besides(info, overlay);
    const { logo, primary_color: color } = overlay.branding;
    const logoDark = logo === info.branding.logo ? info.branding.logo_dark : '';
    const branding = Object.assign(info.branding, { logo, logo_dark: logoDark, primary_color: color });
    const branded = Object.assign(info, { organization, branding });
    return overlay.loginMethods ? limited(branded, overlay.loginMethods, await this.ownProviders(overlay)) : branded;
  }

  async describe(): Promise<InfoDto> {
    const providers = await this.identityProviders.enabled();
    const read = <T>(setting: Setting<T>): MaybePromise<T> => this.settings.get(setting);
    const branding = await this.branding.current();
    return {
      name: branding.name,
      version: serviceVersion,
      scope: this.environment.serviceScope,
      locales: [...languages],
      registration: {
        enabled: await read(registrationEnabled),
        email_code_required: await read(emailCodeRequired),
        phone_code_required: await read(phoneCodeRequired),
        contact_required: await read(contactRequired),
        terms_required: await read(termsRequired),
        terms_version: await read(termsVersion),
        first_field: await read(registrationFirstField),
        attributes: (await this.attributes.ofRegistration()).map(attributeFieldDto),
      },
      login_methods: await this.loginMethods(),
      verification: await this.verification(),
      oauth_providers: providers.filter(isForAll).map((one) => this.providerInfo(one)),
      // The identifier leads to the login provider of an organization.
      identifier_first: !providers.every(isForAll),
      password: { min_length: PASSWORD_LENGTH.min, max_length: PASSWORD_LENGTH.max },
      mfa: { trusted_device_days: await read(trustedDeviceDays) },
      account: { deletion_grace_days: await read(deletionGraceDays) },
      branding: brandingDto(branding),
      organization: null,
      cookie_prefix: browserCookiePrefix(await read(cookiePrefix), this.areCookiesSecure()),
    };
  }

  /** The login providers that the organization has among its accepted methods, and that only its members use. */
  private async ownProviders({ id }: OrganizationOverlay): Promise<OAuthProviderInfoDto[]> {
    const providers = await this.identityProviders.enabled();
    return providers.filter(({ organizationId }) => organizationId === id).map((one) => this.providerInfo(one));
  }

  private providerInfo(provider: ProviderView): OAuthProviderInfoDto {
    return oauthProviderInfoDto(provider, this.addresses.start(provider.name));
  }

  private areCookiesSecure(): boolean {
    return areCookiesSecure(this.environment, currentRequest()?.origin.secure ?? false);
  }

  private async verification(): Promise<InfoDto['verification']> {
    const channels = await this.channels.offered();
    return { enabled: channels.length > 0, channels, inbox: await this.channels.listInboxes() };
  }

  /** Offers an enabled method only if it is also configured. */
  private async loginMethods(): Promise<InfoDto['login_methods']> {
    return Promise.all(
      this.methods.all().map(async (method) => ({
        type: method.type,
        enabled: (await this.methods.isEnabled(method.type)) && (await method.isConfigured()),
      })),
    );
  }
}

/** What the organization shows beside the name and the links of the service, and never instead of them. */
function besides({ name, branding }: InfoDto, { branding: own }: OrganizationOverlay): InfoDto['organization'] {
  const other = (value: string, service: string): string => (value === service ? '' : value);
  return {
    name: other(own.name, name),
    terms: other(own.terms, branding.terms),
    privacy: other(own.privacy, branding.privacy),
    support: other(own.support, branding.support),
  };
}

/** Leaves the accepted login methods. Without one that begins with an identifier, the page does not ask for it first. */
function limited(info: InfoDto, accepted: readonly string[], own: readonly OAuthProviderInfoDto[]): InfoDto {
  const isListed = ({ name }: OAuthProviderInfoDto): boolean => accepted.includes(`oauth:${name}`);
  const methods = info.login_methods.map(({ type, enabled }) => ({
    type,
    enabled: enabled && accepted.includes(type),
  }));
  const { registration } = info;
  return Object.assign(info, {
    // A registration sets a password and logs in with it.
    registration: Object.assign(registration, { enabled: registration.enabled && accepted.includes('password') }),
    login_methods: methods,
    oauth_providers: [...own, ...info.oauth_providers].filter(isListed),
    identifier_first: info.identifier_first && methods.some(({ type, enabled }) => enabled && type !== 'passkey'),
  });
}
