import { Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { ApiController, Public } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { BrandingService } from '../../settings';

const CSS = 'text/css; charset=utf-8';
const FILE = /^[\w-]{43}\.css$/;

@ApiTags('Service')
@ApiController('branding')
export class BrandingController {
  constructor(private readonly branding: BrandingService) {}

  @Get(':file')
  @Public()
  @Header('content-type', CSS)
  @Header('cache-control', 'public, max-age=31536000, immutable')
  @ApiOperation({
    summary: 'Get the custom CSS of the login pages',
    description: 'At the address in `branding.stylesheet` of `GET /api/info`, which changes with the content.',
  })
  @ApiProduces(CSS)
  @ApiOkResponse({ description: 'The custom CSS of the login pages', schema: { type: 'string' } })
  @ProblemResponses(platformErrors.notFound)
  async stylesheet(@Param('file') file: string): Promise<string> {
    const css = FILE.test(file) ? await this.branding.customCssAt(`/api/branding/${file}`) : undefined;
    if (css === undefined) throw platformErrors.notFound();
    return css;
  }
}
