import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { accessErrors, ApiController, CurrentCaller, RequirePermission } from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { IdPipe } from '../platform/http/input';
import { ProblemResponses } from '../platform/http/problems';
import { rbacErrors, userPermissions } from '../rbac';
import { usersErrors } from '../users';
import { attributeDto, AttributeListDto, UserAttributesService } from '../users/attributes';
import { AccountClosureService } from './account-closure.service';
import { AccountCreationService } from './account-creation.service';
import { AccountUpdateService } from './account-update.service';
import { AdminUserDto, adminUserDto, AdminUserPageDto, AdminUserCursorPageDto } from './dto/admin-user.dto';
import { ChangeUserDto, CONTAINMENT, COVER, CreateUserDto, ListUsersDto } from './dto/user-input.dto';
import { UserDirectoryService } from './user-directory.service';

@ApiTags('User administration')
@ApiController('user')
@RequirePermission(userPermissions.administer)
export class UsersController {
  constructor(
    private readonly directory: UserDirectoryService,
    private readonly creation: AccountCreationService,
    private readonly updates: AccountUpdateService,
    private readonly closure: AccountClosureService,
    private readonly attributes: UserAttributesService,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List and search users',
    description:
      'Newest first, or as `sort` says. Pages by number or by cursor. `total` is exact up to 10,000, then an estimate.',
  })
  @ApiExtraModels(AdminUserPageDto, AdminUserCursorPageDto)
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(AdminUserPageDto) }, { $ref: getSchemaPath(AdminUserCursorPageDto) }] },
  })
  list(@Query() query: ListUsersDto): Promise<AdminUserPageDto | AdminUserCursorPageDto> {
    return this.directory.list(query, adminUserDto);
  }

  @Post()
  @ApiOperation({
    summary: 'Create an account for a user',
    description:
      'Without a password, the user logs in with a verified contact or a third-party account. The caller must hold the permissions of its roles, and `role:update` everywhere for a role, other than the default role, that grants no more than new users get.',
  })
  @ApiCreatedResponse({ type: AdminUserDto })
  @ProblemResponses(
    usersErrors.passwordTooCommon,
    accessErrors.escalationDenied,
    usersErrors.usernameTaken,
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
  )
  async create(@Body() body: CreateUserDto, @CurrentCaller() caller: Caller): Promise<AdminUserDto> {
    return adminUserDto(await this.directory.see(await this.creation.create(caller, body)));
  }

  @Get('attribute')
  @ApiOperation({
    summary: 'List the attributes that users have',
    description: 'Same as `GET /api/attribute`, for those who administer users but define no attributes.',
  })
  @ApiOkResponse({ type: AttributeListDto })
  async listAttributes(): Promise<AttributeListDto> {
    return { items: (await this.attributes.all()).map(attributeDto) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a user' })
  @ApiOkResponse({ type: AdminUserDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('id', IdPipe) id: string): Promise<AdminUserDto> {
    return adminUserDto(await this.directory.find(id));
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Change a user',
    description: `Disabling ends the sessions. Changes of contacts and their verification need a recent login. Change your own contacts through \`/api/auth/me\`; your own status cannot be changed. The status alone: ${CONTAINMENT} Anything else: ${COVER}`,
  })
  @ApiOkResponse({ type: AdminUserDto })
  @ProblemResponses(
    platformErrors.notFound,
    platformErrors.reauthenticationRequired,
    accessErrors.escalationDenied,
    rbacErrors.lastAdmin,
    usersErrors.usernameTaken,
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
  )
  async change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeUserDto,
    @CurrentCaller() caller: Caller,
  ): Promise<AdminUserDto> {
    return adminUserDto(await this.directory.see(await this.updates.change(caller, id, body)));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a user',
    description: `Not for the own account and not for the last administrator. ${COVER}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied, rbacErrors.lastAdmin)
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.closure.delete(caller, id);
  }

  @Post(':id/deletion/cancel')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Keep a user who asked for the deletion of the account',
    description: `Changes nothing if no deletion was requested. The user is notified. ${CONTAINMENT}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, accessErrors.escalationDenied)
  cancelDeletion(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.closure.cancelRequest(caller, id);
  }
}
