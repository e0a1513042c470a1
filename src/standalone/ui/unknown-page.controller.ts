import { Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, ServiceController } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { IgnoreUnknownNames } from '../../platform/http/input';
import { authPages } from './auth-pages';
import { PlainPagesService } from './plain-pages.service';
import { pathWithoutSlash, redirectTo } from './trailing-slash';

const FOR_PROGRAMS = /^\/(?:api|\.well-known)(?:\/|$)/i;
const MAX_RANGES = 32;
const HTML = /^text\/html$/i;
const JSON_TYPES = /^application\/(?:[\w.-]+\+)?json$/i;
const WEIGHT = /^q=([01](?:\.\d{0,3})?)$/i;

/** The greatest weight of the types that are listed (RFC 9110 §12.5.1); 0: none is. */
function weightOf(types: RegExp, accept: string): number {
  const ranges = accept.split(',', MAX_RANGES).map((range) => range.split(';').map((part) => part.trim()));
  const weights = ranges
    .filter(([type = '']) => types.test(type))
    .map(([, ...parameters]) => Number(parameters.map((part) => WEIGHT.exec(part)?.[1]).find(Boolean) ?? 1));
  return Math.max(0, ...weights);
}

/** Whether HTML is listed, and JSON not with a greater weight. */
function prefersHtml(accept: string): boolean {
  const html = weightOf(HTML, accept);
  return html > 0 && html >= weightOf(JSON_TYPES, accept);
}

const isPage = (path: string): boolean => authPages.some((page) => path === `/${page}`);

const isForBrowser = ({ url, headers }: FastifyRequest): boolean =>
  !FOR_PROGRAMS.test(url) && prefersHtml(headers.accept ?? '');

/** All paths of the standalone server that no other route has. */
@ApiExcludeController()
@ServiceController('')
export class UnknownPageController {
  constructor(private readonly pages: PlainPagesService) {}

  /** Throws `not_found` for programs. */
  @Get('*')
  @Public()
  @IgnoreUnknownNames()
  async show(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const page = pathWithoutSlash(request);
    if (page !== undefined && isPage(page)) return redirectTo(page, request, reply);
    if (!isForBrowser(request)) throw platformErrors.notFound();
    void reply.code(404).header('cache-control', 'no-store');
    return this.pages.render(request, reply, (text) => ({
      heading: text('unknown.title'),
      paragraphs: [text('unknown.hint')],
      links: [
        { href: '/', text: text('unknown.home') },
        { href: '/login', text: text('home.login') },
        { href: '/account', text: text('unknown.account') },
      ],
    }));
  }
}
