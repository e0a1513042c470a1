import { Injectable } from '@nestjs/common';
import { sha256 } from '../platform/crypto';
import { Setting, SettingsReader } from '../platform/settings';
import {
  appBackgroundColor,
  appBackgroundImage,
  appCornerRadius,
  appCustomCss,
  appFavicon,
  appFont,
  appLogo,
  appLogoDark,
  appName,
  appPrimaryColor,
  appPrivacy,
  appSupport,
  appTerms,
} from './branding.settings';

const parts = {
  name: appName,
  logo: appLogo,
  logoDark: appLogoDark,
  favicon: appFavicon,
  /** `#rrggbb`. */
  primaryColor: appPrimaryColor,
  cornerRadius: appCornerRadius,
  font: appFont,
  backgroundColor: appBackgroundColor,
  backgroundImage: appBackgroundImage,
  customCss: appCustomCss,
  terms: appTerms,
  privacy: appPrivacy,
  support: appSupport,
} satisfies Readonly<Record<string, Setting<string> | Setting<number>>>;

type Values = { readonly [Part in keyof typeof parts]: (typeof parts)[Part]['defaultValue'] };

/** The look of the service's pages and messages. Addresses are empty where there is none. */
export interface Branding extends Values {
  /** The address of the custom CSS. It changes with its content. */
  readonly stylesheet: string;
}

/** The addresses of the pictures. */
export const picturesOf = ({ logo, logoDark, favicon, backgroundImage }: Branding): string[] => [
  logo,
  logoDark,
  favicon,
  backgroundImage,
];

const RELOAD_MS = 1_000;

/** The only place that computes the branding, for pages, messages and `GET /api/info`. */
@Injectable()
export class BrandingService {
  /** The last custom CSS, so that an unchanged one is digested once. */
  private digested = { css: '', address: '' };
  private reloadedAt = -Infinity;

  constructor(private readonly settings: SettingsReader) {}

  async current(): Promise<Branding> {
    const entries = Object.entries<Setting>(parts).map(
      async ([part, setting]) => [part, await this.settings.get(setting)] as const,
    );
    return this.withStylesheet(Object.fromEntries(await Promise.all(entries)) as Values);
  }

  /** Never waits for the database, for pages that say it is out of reach. */
  cached(): Branding {
    const entries = Object.entries<Setting>(parts).map(
      ([part, setting]) => [part, this.settings.getCached(setting) ?? setting.defaultValue] as const,
    );
    return this.withStylesheet(Object.fromEntries(entries) as Values);
  }

  /** The custom CSS at its address; undefined for any other address. */
  async customCssAt(address: string): Promise<string | undefined> {
    const found = await this.current();
    if (found.stylesheet === address) return found.customCss;
    // Requests may name any address, so the settings are read again at most once in a second.
    if (performance.now() - this.reloadedAt < RELOAD_MS) return undefined;
    this.reloadedAt = performance.now();
    // Another instance may have put a newer address into its page.
    this.settings.reload();
    const { stylesheet, customCss } = await this.current();
    return stylesheet === address ? customCss : undefined;
  }

  private withStylesheet(values: Values): Branding {
    return { ...values, stylesheet: this.addressOf(values.customCss) };
  }

  private addressOf(css: string): string {
    if (css !== this.digested.css) {
      this.digested = { css, address: css === '' ? '' : `/api/branding/${sha256(css)}.css` };
    }
    return this.digested.address;
  }
}
