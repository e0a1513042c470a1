import { Get, Header, Param, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiController, Public } from '../../../platform/access';
import { platformErrors } from '../../../platform/errors';
import { ProblemResponses } from '../../../platform/http/problems';
import { DocsEnabledGuard } from './docs-enabled.guard';
import { DocsPageService } from './docs-page.service';
import { OpenApiDocumentFactory } from './openapi-document.factory';

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

@UseGuards(DocsEnabledGuard)
@ApiTags('Service')
@ApiController('openapi.json')
export class OpenApiController {
  constructor(private readonly document: OpenApiDocumentFactory) {}

  @Get()
  @Public()
  @ApiOperation({ summary: 'This document' })
  @ApiOkResponse({ description: 'The OpenAPI document', schema: { type: 'object', additionalProperties: true } })
  @ProblemResponses(platformErrors.notFound)
  describe(): object {
    return this.document.get();
  }
}

/** The API documentation as an interactive page. */
@UseGuards(DocsEnabledGuard)
@ApiExcludeController()
@ApiController('docs')
export class DocsController {
  constructor(private readonly page: DocsPageService) {}

  @Get()
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', PAGE_POLICY)
  show(): string {
    return this.page.html;
  }

  @Get(':file')
  @Public()
  asset(@Param('file') name: string, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    const file = this.page.find(name);
    if (!file) throw platformErrors.notFound();
    void reply.header('content-type', file.type).header('cache-control', 'public, max-age=3600');
    return file.content;
  }
}
