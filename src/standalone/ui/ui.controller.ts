import { Get, Header, Headers, Param, Redirect, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type InfoDto, InfoService } from '../../operations/info';
import { Public, ServiceController } from '../../platform/access';
import { contextOf } from '../../platform/context';
import { randomToken } from '../../platform/crypto';
import { platformErrors } from '../../platform/errors';
import { Language } from '../../platform/i18n';
import { Log } from '../../platform/logging';
import { keepOpener } from '../../platform/http';
import { IgnoreUnknownNames } from '../../platform/http/input';
import { interactionIn } from '../../oauth';
import { ActingCookiesService } from '../../session';
import { escapeHtml } from '../../platform/util';
import { iconOf } from '../../settings';
import { ExternalAvatarsService } from '../../users';
import { authPages } from './auth-pages';
import { jsonForHtml } from './html';
import { pathWithoutSlash, redirectTo } from './trailing-slash';
import { ContentCoding, contentCodings, UiEntry, UiFilesService } from './ui-files.service';

/**
 * Allows only the service's own scripts and styles, nothing inline. Images of providers and applications may be
 * external.
 */
const policy = (styles: string, images: string): string =>
  `default-src 'none'; script-src 'self'; style-src ${styles}; img-src ${images}; base-uri 'none'`;
const UNFRAMED = "connect-src 'self'; form-action 'self'; frame-ancestors 'none'";

/** Of the pages without inline styles: all but the console. */
const strictPolicy = (images: string): string =>
  `${policy("'self'", images)}; ${UNFRAMED}; require-trusted-types-for 'script'`;
/**
 * The console frames the preview. Its policy lets it send nothing, so framing it gains nothing. Unsaved pictures may be
 * anywhere, and it shows no user.
 */
const PREVIEW_POLICY = `${policy("'self'", "'self' https: data:")}; form-action 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'`;
const consolePolicy = (nonce: string, images: string): string =>
  `${policy(`'self' 'nonce-${nonce}'`, images)}; ${UNFRAMED}; frame-src 'self'`;
/** Pages that always belong to a login at an application. Other pages do if the URL names an interaction. */
const OF_APPLICATIONS: ReadonlySet<string> = new Set(['/bind', '/consent']);
const YEAR_SECONDS = 31_536_000;
const NONCE_BYTES = 16;
/** RFC 9110 §12.5.3: the coding is listed, with a weight other than 0. */
const listed = (coding: ContentCoding): RegExp =>
  new RegExp(String.raw`(?:^|,)\s*${coding}\s*(?:;\s*q=(?!0(?:\.0{0,3})?\s*(?:,|$))[^,]*)?(?:,|$)`, 'i');
const LISTED = { br: listed('br'), gzip: listed('gzip') };

/** The pictures that the settings and the login providers name. */
const picturesIn = ({ branding, oauth_providers: providers }: InfoDto): string[] => [
  branding.logo,
  branding.logo_dark,
  branding.favicon,
  branding.background_image,
  ...providers.map(({ icon }) => icon),
];

const addressOf = ({ url }: FastifyRequest): URL => new URL(url, 'http://page');

/** The request of an application that the page belongs to. */
function interactionOf({ searchParams }: URL): string | undefined {
  // After a login at a provider, the second factor returns to a path with the interaction.
  return searchParams.get('interaction') ?? interactionIn(searchParams.get('redirect') ?? '/');
}

/**
 * The pages of the browser UI: one document for the pages before the login, one for those of the own account, and one for
 * the console. The path selects the page.
 */
@ApiExcludeController()
@ServiceController('')
export class UiController {
  constructor(
    private readonly files: UiFilesService,
    private readonly info: InfoService,
    private readonly acting: ActingCookiesService,
    private readonly avatars: ExternalAvatarsService,
    private readonly log: Log,
  ) {}

  @Get([...authPages])
  @Public()
  // The page parses its own URL, and external links may add parameters.
  @IgnoreUnknownNames()
  @Header('content-type', 'text/html; charset=utf-8')
  async authPage(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const address = addressOf(request);
    const interaction = interactionOf(address);
    if (OF_APPLICATIONS.has(address.pathname) || interaction !== undefined) keepOpener(reply);
    const info = await (interaction === undefined ? this.info.describe() : this.describeFor(interaction));
    void reply.header('content-security-policy', strictPolicy(this.imagesOf(info)));
    const page = this.fill('auth', info, contextOf(request).language);
    // The page then asks who acts as whom. All others would ask in vain.
    return (await this.acting.mayAct(request)) ? page.replace('<html ', '<html data-acting ') : page;
  }

  /** The login pages with the settings that the console is about to save. */
  @Get('sign-in-preview')
  @Public()
  @IgnoreUnknownNames()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PREVIEW_POLICY)
  @Header('x-frame-options', 'SAMEORIGIN')
  async preview(@Req() request: FastifyRequest): Promise<string> {
    return this.fill('auth', await this.info.describe(), contextOf(request).language);
  }

  /** https://www.w3.org/TR/change-password-url/ */
  @Get('.well-known/change-password')
  @Public()
  @IgnoreUnknownNames()
  @Redirect('/account/security', 302)
  changePassword(): void {
    // Password managers send their users here.
  }

  @Get(['account', 'account/*'])
  @Public()
  @IgnoreUnknownNames()
  @Header('content-type', 'text/html; charset=utf-8')
  async accountPage(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const page = pathWithoutSlash(request);
    if (page !== undefined) return redirectTo(page, request, reply);
    const info = await this.info.describe();
    void reply.header('content-security-policy', strictPolicy(this.imagesOf(info)));
    return this.fill('account', info, contextOf(request).language);
  }

  /** Administrators of an organization reach its pages from their account. */
  @Get(['account/organizations', 'account/organizations/*', 'admin', 'admin/*'])
  @Public()
  @IgnoreUnknownNames()
  @Header('content-type', 'text/html; charset=utf-8')
  async consolePage(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const page = pathWithoutSlash(request);
    if (page !== undefined) return redirectTo(page, request, reply);
    const nonce = randomToken(NONCE_BYTES);
    const info = await this.info.describe();
    void reply.header('content-security-policy', consolePolicy(nonce, this.imagesOf(info)));
    return this.fill('console', info, contextOf(request).language, nonce);
  }

  @Get('assets/:file')
  @Public()
  asset(
    @Param('file') name: string,
    @Headers('accept-encoding') encodings: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    const asset = this.files.asset(name);
    if (!asset) throw platformErrors.notFound();
    void reply
      .header('content-type', asset.type)
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .header('vary', 'Origin, Accept-Encoding');
    const coding = contentCodings.find((one) => LISTED[one].test(encodings ?? '') && asset.coded[one]);
    if (coding === undefined) return asset.content;
    void reply.header('content-encoding', coding);
    return asset.coded[coding] ?? asset.content;
  }

  /** Without the database, the page looks like the service and can say what is wrong. */
  private async describeFor(interaction: string): Promise<InfoDto> {
    try {
      return await this.info.describeFor(interaction);
    } catch (error) {
      this.log.warn('The page of a login does not know the organization', { err: error });
      return this.info.describe();
    }
  }

  private imagesOf(info: InfoDto): string {
    return this.avatars.imageSources(picturesIn(info));
  }

  private fill(entry: UiEntry, info: InfoDto, language: Language, nonce?: string): string {
    const template = this.files.page(entry);
    if (template === undefined) throw platformErrors.notFound();
    const texts = this.files.addressOf(entry, `../i18n/${language}/${entry}.json`);
    const ahead = texts === undefined ? '' : `<link rel="modulepreload" crossorigin href="${texts}">`;
    const { favicon, primary_color: primaryColor, stylesheet } = info.branding;
    const icon = iconOf({ favicon, name: info.name, primaryColor });
    const isBranded = entry === 'auth' && stylesheet !== '';
    const mark = nonce === undefined ? '' : ` data-nonce="${nonce}"`;
    // Functions, because a replacement text would be parsed for `$&` and similar patterns.
    return (
      template
        .replace('<html lang="en">', () => `<html lang="${language}">`)
        .replace('<title>Castellan</title>', () => `<title>${escapeHtml(info.name)}</title>${ahead}`)
        .replace('href="data:,"', () => `href="${escapeHtml(icon)}"`)
        // Last, so that it wins over the styles of the page, and before the first paint.
        .replace('</head>', () =>
          isBranded ? `<link id="brand" rel="stylesheet" href="${stylesheet}"></head>` : '</head>',
        )
        .replace(/id="info">\s*null\s*</, () => `id="info"${mark}>${jsonForHtml(info)}<`)
    );
  }
}
