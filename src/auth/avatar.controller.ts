import { Get, Header, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { ApiController, Public } from '../platform/access';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/problems';
import { AvatarGenerator } from '../users';

const FILE = /^([A-Za-z0-9_-]{1,64})\.svg$/;

@ApiTags('Users')
@ApiController('avatar')
export class AvatarController {
  constructor(private readonly avatars: AvatarGenerator) {}

  @Get(':file')
  @Public()
  @Header('content-type', 'image/svg+xml')
  @Header('cache-control', 'public, max-age=31536000, immutable')
  @Header('cross-origin-resource-policy', 'cross-origin')
  @ApiOperation({
    summary: 'Draw an avatar',
    description: '`file` is `<seed>.svg`, where the seed matches `[A-Za-z0-9_-]{1,64}`.',
  })
  @ApiProduces('image/svg+xml')
  @ApiOkResponse({ description: 'The picture, as SVG', schema: { type: 'string' } })
  @ProblemResponses(platformErrors.notFound)
  draw(@Param('file') file: string): string {
    const seed = FILE.exec(file)?.[1];
    if (seed === undefined) throw platformErrors.notFound();
    return this.avatars.draw(seed);
  }
}
