import { Body, Delete, Get, HttpCode, Patch, Put, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ApiController,
  AtOnce,
  CurrentCaller,
  DuringEnrolment,
  DuringPasswordChange,
  RequireRecentLogin,
  SignedIn,
} from '../platform/access';
import type { Caller } from '../platform/context';
import { platformErrors } from '../platform/errors';
import { ProblemResponses } from '../platform/problems';
import { Permissions, rbacErrors } from '../rbac';
import { lockoutErrors, SessionCookies } from '../session';
import { KnownUser, usersErrors } from '../users';
import { codeErrors } from '../verification';
import { authErrors } from './auth.errors';
import { BrowserLogin } from './browser-login';
import { ChangePasswordDto, ChangeProfileDto } from './dto/account.dto';
import { UserInfoWithPermsDto, userInfoWithPermsDto } from './dto/user.dto';
import { OWN_ACCOUNT } from './own-account';
import { PasswordService } from './password/password.service';
import { ProfileService } from './profile.service';

@ApiTags('Own account')
@ApiController('auth/me')
export class MeController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly passwords: PasswordService,
    private readonly permissions: Permissions,
    private readonly logins: BrowserLogin,
    private readonly cookies: SessionCookies,
  ) {}

  @Get()
  @AtOnce(OWN_ACCOUNT)
  @SignedIn()
  @DuringPasswordChange()
  @DuringEnrolment()
  @ApiOperation({ summary: 'The own account, with its permissions' })
  @ApiOkResponse({ type: UserInfoWithPermsDto })
  async show(@CurrentCaller() caller: Caller): Promise<UserInfoWithPermsDto> {
    return this.withPermissions(await this.profiles.find(caller.userId));
  }

  @Patch()
  @SignedIn()
  @ApiOperation({
    summary: 'Change the own profile',
    description:
      'null clears an optional field. A code of purpose `bind` proves a contact, and takes it from whoever merely claims it. Proving a contact, and changing a verified one, needs a recent login.',
  })
  @ApiOkResponse({ type: UserInfoWithPermsDto })
  @ProblemResponses(
    usersErrors.emailTaken,
    usersErrors.phoneTaken,
    codeErrors.codeInvalid,
    codeErrors.verificationDisabled,
    usersErrors.lastCredential,
    platformErrors.rateLimited,
    platformErrors.reauthenticationRequired,
  )
  async change(@Body() body: ChangeProfileDto, @CurrentCaller() caller: Caller): Promise<UserInfoWithPermsDto> {
    return this.withPermissions(await this.profiles.change(caller, body));
  }

  @Put('password')
  @SignedIn()
  @DuringPasswordChange()
  @HttpCode(204)
  @ApiOperation({ summary: 'Change the own password', description: 'Ends the other sessions.' })
  @ApiNoContentResponse()
  @ProblemResponses(
    authErrors.passwordIncorrect,
    usersErrors.passwordTooCommon,
    platformErrors.reauthenticationRequired,
    lockoutErrors.accountLocked,
    platformErrors.rateLimited,
  )
  async changePassword(
    @Body() body: ChangePasswordDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    const changed = await this.passwords.change(caller, body, await this.logins.guesser(request));
    await this.logins.stayKnown(changed, caller.sessionId, request, reply);
  }

  @Delete()
  @SignedIn()
  @RequireRecentLogin()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete the own account' })
  @ApiNoContentResponse()
  @ProblemResponses(rbacErrors.lastAdmin)
  async delete(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.profiles.delete(caller);
    await this.cookies.clear(request, reply);
  }

  private async withPermissions(user: KnownUser): Promise<UserInfoWithPermsDto> {
    return userInfoWithPermsDto(user, this.permissions.peek(user.id) ?? (await this.permissions.of(user.id)));
  }
}
