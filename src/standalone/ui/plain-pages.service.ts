import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contextOf } from '../../platform/context';
import { Language, TranslatorService } from '../../platform/i18n';
import { escapeHtml } from '../../platform/util';
import { BrandingService, iconOf, picturesOf } from '../../settings';
import { ExternalAvatarsService } from '../../users';

const policyOf = (images: string): string =>
  `default-src 'none'; style-src 'self'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface PlainPage {
  /** Default: the name of the service. */
  readonly heading?: string;
  readonly paragraphs: readonly string[];
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** Returns a text of `ui.json` in the language of the request. */
export type PageText = (key: string) => string;

/** Pages without scripts, in the look of the service. */
@Injectable()
export class PlainPagesService {
  constructor(
    private readonly branding: BrandingService,
    private readonly translator: TranslatorService,
    private readonly avatars: ExternalAvatarsService,
  ) {}

  /** Returns the document, and sets its headers. */
  async render(request: FastifyRequest, reply: FastifyReply, describe: (text: PageText) => PlainPage): Promise<string> {
    const branding = await this.branding.current();
    const { language } = contextOf(request);
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policyOf(this.avatars.imageSources(picturesOf(branding))));
    const page = describe((key) => this.translator.text(language, 'ui', key));
    return this.documentOf(language, branding.name, iconOf(branding), page);
  }

  private documentOf(language: Language, name: string, icon: string, page: PlainPage): string {
    const { heading, paragraphs, links } = page;
    const title = heading ?? this.translator.text(language, 'ui', 'home.title');
    const listed = links.map(({ href, text }) => `<li><a href="${escapeHtml(href)}">${escapeHtml(text)}</a></li>`);
    return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)} · ${escapeHtml(title)}</title>
<link rel="icon" href="${escapeHtml(icon)}">
<link rel="stylesheet" href="/home.css">
</head>
<body>
<main>
<h1>${escapeHtml(heading ?? name)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
<ul>${listed.join('')}</ul>
</main>
</body>
</html>
`;
  }
}
