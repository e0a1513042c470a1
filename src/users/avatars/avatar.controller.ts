import { Get, Header, Param, Res, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ApiController, Public } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { AvatarGenerator } from './avatar-generator';
import { AvatarPictures } from './avatar-pictures';
import { mediaTypes, Picture } from './picture';

const DRAWN = /^([A-Za-z0-9_-]{1,64})\.svg$/;
const UPLOADED = /^([A-Za-z0-9_-]{22})\.(png|jpg|webp)$/;
const SVG_TYPE = 'image/svg+xml';

@ApiTags('Users')
@ApiController('avatar')
export class AvatarController {
  constructor(
    private readonly avatars: AvatarGenerator,
    private readonly pictures: AvatarPictures,
  ) {}

  @Get(':file')
  @Public()
  @Header('cache-control', 'public, max-age=31536000, immutable')
  @Header('cross-origin-resource-policy', 'cross-origin')
  @ApiOperation({
    summary: 'Show an avatar',
    description:
      '`file` is `<seed>.svg` for a drawn avatar, where the seed matches `[A-Za-z0-9_-]{1,64}`, or the name of an uploaded picture.',
  })
  @ApiProduces(SVG_TYPE, ...Object.values(mediaTypes))
  @ApiOkResponse({ description: 'The picture', schema: { type: 'string', format: 'binary' } })
  @ProblemResponses(platformErrors.notFound)
  async show(
    @Param('file') file: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | StreamableFile> {
    const seed = DRAWN.exec(file)?.[1];
    if (seed === undefined) return pictureFile(await this.uploaded(file));
    void reply.header('content-type', SVG_TYPE);
    return this.avatars.draw(seed);
  }

  private async uploaded(file: string): Promise<Picture> {
    const [, name, format] = UPLOADED.exec(file) ?? [];
    const picture = name === undefined ? undefined : await this.pictures.find(name);
    if (picture === undefined || picture.format !== format) throw platformErrors.notFound();
    return picture;
  }
}

const pictureFile = ({ format, content }: Picture): StreamableFile =>
  new StreamableFile(content, { type: mediaTypes[format], length: content.length });
