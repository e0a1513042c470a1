import { Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission, RequireRecentLogin } from '../platform/access';
import { SigningKeyListDto, signingKeyDto } from './dto/signing-key.dto';
import { KeyRotationService } from './key-rotation.service';
import { SessionKeysService } from './session-keys.service';
import { signingKeyPermissions } from './session.permissions';

@ApiTags('Keys')
@ApiController('signing-key')
export class SigningKeysController {
  constructor(
    private readonly keys: SessionKeysService,
    private readonly rotation: KeyRotationService,
  ) {}

  @Get()
  @RequirePermission(signingKeyPermissions.read)
  @ApiOperation({ summary: 'List the signing keys in use', description: 'Newest first, without private keys.' })
  @ApiOkResponse({ type: SigningKeyListDto })
  async list(): Promise<SigningKeyListDto> {
    const keys = await this.keys.list();
    return { items: keys.map(signingKeyDto) };
  }

  @Post()
  @RequirePermission(signingKeyPermissions.create)
  @RequireRecentLogin()
  @ApiOperation({
    summary: 'Rotate the signing keys',
    description:
      'Rotates the keys of sessions and of OAuth tokens. A new key is published at once and signs a minute later. Sessions and tokens stay valid.',
  })
  @ApiCreatedResponse({ type: SigningKeyListDto })
  async rotate(): Promise<SigningKeyListDto> {
    await this.rotation.rotateAll();
    return this.list();
  }
}
