import { Injectable } from '@nestjs/common';
import { currentRequest } from '../../../platform/context';
import { fallbackLanguage, TranslatorService } from '../../../platform/i18n';
import { ProviderTemplateDto, TemplateFieldDto } from './dto/login-provider.dto';
import { OAuthProviderAdapter } from './oauth-provider-adapter';
import { ProviderAdapters } from './provider-adapters';
import { ProviderEndpoints } from './preset';
import { resolveProvider } from './resolve-provider';

const ADDRESS_FIELDS: readonly [keyof ProviderEndpoints, string][] = [
  ['issuer', 'issuer'],
  ['authorizeUrl', 'authorize_url'],
  ['tokenUrl', 'token_url'],
  ['userinfoUrl', 'userinfo_url'],
];

/** The provider templates, described in the caller's language. */
@Injectable()
export class ProviderTemplateRegistry {
  constructor(
    private readonly adapters: ProviderAdapters,
    private readonly translator: TranslatorService,
  ) {}

  list(): ProviderTemplateDto[] {
    return this.adapters.all().map((adapter) => this.show(adapter));
  }

  private show(adapter: OAuthProviderAdapter): ProviderTemplateDto {
    const { template, preset } = adapter;
    const blank = { id: '', name: '', template, clientId: '', scopes: null, mapping: {}, params: {}, pkce: null };
    const none = { authorizeUrl: null, tokenUrl: null, userinfoUrl: null, issuer: null, withoutUserinfo: false };
    const resolved = resolveProvider({ ...blank, ...none }, preset);
    return {
      template,
      label: preset.label,
      help: this.text(`help.${template}`),
      authorize_url: resolved.authorizeUrl,
      token_url: resolved.tokenUrl,
      userinfo_url: resolved.userinfoUrl,
      issuer: resolved.issuer,
      scopes: [...resolved.scopes],
      mapping: { ...resolved.mapping },
      pkce: resolved.pkce,
      form_post: preset.formPost ?? false,
      vouches_for_email: preset.emailTrust !== 'never',
      fields: this.fieldsOf(adapter),
    };
  }

  /** The fields that the template does not fix. */
  private fieldsOf({ template, preset, requiredAddresses }: OAuthProviderAdapter): TemplateFieldDto[] {
    const field = (name: string, rest: Partial<TemplateFieldDto> = {}): TemplateFieldDto => ({
      name,
      label: this.own(template, name, 'label'),
      help: this.own(template, name, 'help'),
      required: true,
      secret: false,
      default_value: null,
      ...rest,
    });
    const addresses = ADDRESS_FIELDS.filter(
      ([name]) => requiredAddresses.includes(name) && preset.endpoints[name] === null,
    ).map(([, name]) => field(name));
    const own = preset.fields.map(({ name, required, fallback = null }) =>
      field(`params.${name}`, { required, default_value: fallback }),
    );
    return [field('client_id'), field('client_secret', { secret: true }), ...addresses, ...own];
  }

  /** The provider's own term for the field, if it differs from the common one. */
  private own(template: string, name: string, part: 'label' | 'help'): string {
    const key = name.replace('.', '_');
    const special = `fields.${template}.${key}.${part}`;
    return this.text(
      this.translator.has(fallbackLanguage, 'providers', special) ? special : `fields.any.${key}.${part}`,
    );
  }

  /** A host application's template may have no texts. Then its key is shown. */
  private text(key: string): string {
    return this.translator.text(currentRequest()?.language ?? fallbackLanguage, 'providers', key);
  }
}
