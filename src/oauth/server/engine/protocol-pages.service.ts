import { Injectable } from '@nestjs/common';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { contextOf } from '../../../platform/context';
import { randomToken } from '../../../platform/crypto';
import { Language, TranslatorService } from '../../../platform/i18n';
import { escapeHtml } from '../../../platform/util';
import { BrandingService, picturesOf } from '../../../settings';
import { ExternalAvatarsService } from '../../../users';
import { layOutPage, policyOf } from './protocol-page';
import { loginOf, requestOf } from '../core/request';

/** Routes that browsers are sent to. Others always respond with JSON, whatever the client accepts (RFC 6749 §5.2). */
const BROWSERS = /\/(?:authorize|logout)(?:\/|$)/;
const NONCE_BYTES = 16;

/** The pages of the protocol itself, in the brand of the service and without scripts. A host serves them, too. */
@Injectable()
export class ProtocolPagesService {
  constructor(
    private readonly translator: TranslatorService,
    private readonly branding: BrandingService,
    private readonly avatars: ExternalAvatarsService,
  ) {}

  /** For a browser that cannot be redirected to the application. */
  error(ctx: KoaContextWithOIDC, out: ErrorOut): void {
    if (!BROWSERS.test(ctx.path) || ctx.accepts('html', 'json') === 'json') {
      ctx.body = out;
      return;
    }
    const { error, error_description: detail = '' } = out;
    this.show(ctx, 'error', `<p><code>${escapeHtml(error)}</code> ${escapeHtml(detail)}</p>`);
  }

  /** @param form the library's form, which binds the response to this browser. */
  logout(ctx: KoaContextWithOIDC, form: string): void {
    const language = languageOf(ctx);
    const text = (key: string): string => escapeHtml(this.translator.text(language, 'provider', key));
    const buttons = `<div class="choice">
<button type="submit" form="op.logoutForm" name="logout" value="yes" class="primary">${text('logout.yes')}</button>
<button type="submit" form="op.logoutForm">${text('logout.no')}</button>
</div>`;
    this.show(ctx, 'logout', `${form}${buttons}`);
  }

  /** Also shown to users who declined the logout. */
  loggedOut(ctx: KoaContextWithOIDC): void {
    this.show(ctx, loginOf(ctx.req) ? 'still_logged_in' : 'logged_out', '');
  }

  private show(ctx: KoaContextWithOIDC, page: string, content: string): void {
    const language = languageOf(ctx);
    const text = (key: string): string => this.translator.text(language, 'provider', `${page}.${key}`);
    const nonce = randomToken(NONCE_BYTES);
    // Never waits for the database, which may be the reason for an error page.
    const brand = this.branding.cached();
    ctx.type = 'html';
    ctx.set('content-security-policy', policyOf(nonce, this.avatars.imageSources(picturesOf(brand))));
    ctx.body = layOutPage({
      language,
      title: text('title'),
      text: text('text'),
      content,
      brand,
      nonce,
    });
  }
}

const languageOf = (ctx: KoaContextWithOIDC): Language => contextOf(requestOf(ctx.req)).language;
