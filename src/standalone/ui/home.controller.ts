import { Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, ServiceController } from '../../platform/access';
import { Environment } from '../../platform/config';
import { contextOf } from '../../platform/context';
import { Language, TranslatorService } from '../../platform/i18n';
import { escapeHtml } from '../../platform/util';
import { BrandingService, iconOf, picturesOf } from '../../settings';
import { ExternalAvatarsService } from '../../users';

const policyOf = (images: string): string =>
  `default-src 'none'; style-src 'self'; img-src ${images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { background: #fff; color: #1c1d22; display: grid; place-items: center; min-height: 100vh; margin: 0; padding: 1.5rem; box-sizing: border-box; }
main { max-width: 34rem; }
h1 { margin: 0 0 .25rem; font-size: 2rem; line-height: 1.2; }
ul { padding-left: 1.25rem; }
a { color: #2457c5; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e9e9ee; } a { color: #8fb4ff; } }
`;

/** The page at `/` of the standalone server, which names the service and links to its pages. */
@ApiExcludeController()
@ServiceController('')
export class HomeController {
  constructor(
    private readonly environment: Environment,
    private readonly branding: BrandingService,
    private readonly translator: TranslatorService,
    private readonly avatars: ExternalAvatarsService,
  ) {}

  @Get()
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const branding = await this.branding.current();
    void reply.header('content-security-policy', policyOf(this.avatars.imageSources(picturesOf(branding))));
    return this.page(contextOf(request).language, branding.name, iconOf(branding));
  }

  @Get('home.css')
  @Public()
  @Header('content-type', 'text/css; charset=utf-8')
  style(): string {
    return STYLE;
  }

  private page(language: Language, name: string, icon: string): string {
    const text = (key: string): string => escapeHtml(this.translator.text(language, 'ui', `home.${key}`));
    const link = (href: string, key: string): string => `<li><a href="${href}">${text(key)}</a></li>`;
    const docs = this.environment.docsEnabled ? link('/api/docs', 'docs') + link('/api/openapi.json', 'openapi') : '';
    return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)} · ${text('title')}</title>
<link rel="icon" href="${escapeHtml(icon)}">
<link rel="stylesheet" href="/home.css">
</head>
<body>
<main>
<h1>${escapeHtml(name)}</h1>
<p>${text('tagline')}</p>
<p>${text('signed_out_hint')}</p>
<ul>${link('/login', 'login')}${docs}${link('/health/ready', 'health')}</ul>
</main>
</body>
</html>
`;
  }
}
