import { Body, Get, Param, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiController, RequirePermission } from '../../platform/access';
import { platformErrors } from '../../platform/errors';
import { ProblemResponses } from '../../platform/http/problems';
import { LoginMethodDto, LoginMethodListDto, UpdateLoginMethodDto } from './dto/login-method.dto';
import { LoginMethodsService } from './login-methods.service';
import { loginMethodPermissions } from './login-method.permissions';
import { loginErrors } from './login.errors';

@ApiTags('Login methods')
@ApiController('login-method')
export class LoginMethodsController {
  constructor(private readonly methods: LoginMethodsService) {}

  @Get()
  @RequirePermission(loginMethodPermissions.read)
  @ApiOperation({ summary: 'List the login methods', description: 'Sorted by type.' })
  @ApiOkResponse({ type: LoginMethodListDto })
  async list(): Promise<LoginMethodListDto> {
    return { items: await this.methods.list() };
  }

  @Patch(':type')
  @RequirePermission(loginMethodPermissions.update)
  @ApiOperation({
    summary: 'Enable or disable a login method',
    description: 'The last enabled and configured method cannot be disabled.',
  })
  @ApiOkResponse({ type: LoginMethodDto })
  @ProblemResponses(platformErrors.notFound, loginErrors.lastLoginMethod)
  update(@Param('type') type: string, @Body() body: UpdateLoginMethodDto): Promise<LoginMethodDto> {
    return this.methods.setEnabled(type, body.enabled);
  }
}
