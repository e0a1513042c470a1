import { Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public, ServiceController } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { prefersHtml } from '../../platform/http';
import { IgnoreUnknownNames } from '../../platform/http/input';
import { authPages } from './auth-pages';
import { PlainPagesService } from './plain-pages.service';
import { pathWithoutSlash, redirectTo } from './trailing-slash';

const FOR_PROGRAMS = /^\/(?:api|\.well-known)(?:\/|$)/i;

const isPage = (path: string): boolean => authPages.some((page) => path === `/${page}`);

const isForBrowser = ({ url, headers }: FastifyRequest): boolean =>
  !FOR_PROGRAMS.test(url) && prefersHtml(headers.accept);

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
