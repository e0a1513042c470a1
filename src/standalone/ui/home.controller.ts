import { Get, Header, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, ServiceController } from '../../platform/access';
import { Environment } from '../../platform/config';
import { PageText, PlainPage, PlainPagesService } from './plain-pages.service';

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
    private readonly pages: PlainPagesService,
  ) {}

  @Get()
  @Public()
  show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    return this.pages.render(request, reply, (text) => this.describe(text));
  }

  @Get('home.css')
  @Public()
  @Header('content-type', 'text/css; charset=utf-8')
  style(): string {
    return STYLE;
  }

  private describe(text: PageText): PlainPage {
    const docs = [
      { href: '/api/docs', text: text('home.docs') },
      { href: '/api/openapi.json', text: text('home.openapi') },
    ];
    return {
      paragraphs: [text('home.tagline'), text('home.signed_out_hint')],
      links: [
        { href: '/login', text: text('home.login') },
        ...(this.environment.docsEnabled ? docs : []),
        { href: '/health/ready', text: text('home.health') },
      ],
    };
  }
}
