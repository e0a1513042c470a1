import { Injectable } from '@nestjs/common';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { contextOf } from '../../../platform/context';
import { Language, TranslatorService } from '../../../platform/i18n';
import { escapeHtml } from '../../../platform/text';
import { loginOf, requestOf } from './request';

/** Routes that browsers are sent to. Others always respond with JSON, whatever the client accepts (RFC 6749 §5.2). */
const BROWSERS = /\/(?:authorize|logout)(?:\/|$)/;

/** The pages of the protocol itself: plain, without scripts and styles. */
@Injectable()
export class ProtocolPagesService {
  constructor(private readonly translator: TranslatorService) {}

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
    const buttons = `<p><button type="submit" form="op.logoutForm" name="logout" value="yes">${text('logout.yes')}</button>
<button type="submit" form="op.logoutForm">${text('logout.no')}</button></p>`;
    this.show(ctx, 'logout', `${form}${buttons}`);
  }

  /** Also shown to users who declined the logout. */
  loggedOut(ctx: KoaContextWithOIDC): void {
    this.show(ctx, loginOf(ctx.req) ? 'still_logged_in' : 'logged_out', '');
  }

  private show(ctx: KoaContextWithOIDC, page: string, content: string): void {
    const language = languageOf(ctx);
    const text = (key: string): string => escapeHtml(this.translator.text(language, 'provider', `${page}.${key}`));
    ctx.type = 'html';
    ctx.body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text('title')}</title>
</head>
<body>
<main>
<h1>${text('title')}</h1>
<p>${text('text')}</p>
${content}
</main>
</body>
</html>
`;
  }
}

const languageOf = (ctx: KoaContextWithOIDC): Language => contextOf(requestOf(ctx.req)).language;
