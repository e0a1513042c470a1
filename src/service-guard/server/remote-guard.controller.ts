import { Body, Get, HttpCode, Post, Put, Req, Res, type StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  accessErrors,
  AllowClients,
  ApiController,
  Authenticated,
  CurrentCallerOrClient,
  PreValidationGuards,
} from '../../platform/access';
import type { OAuthClientPrincipal } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { EVENT_STREAM, eventStreamFile, RequireKnownOrigin } from '../../platform/http';
import { ProblemResponses } from '../../platform/http/problems';
import { RegisterCatalogueDto } from '../../rbac';
import { ChangeStreamsService } from './change-streams.service';
import { ClientOnlyGuard } from './client-only.guard';
import { CheckSessionDto, SessionCheckDto } from './dto/session-check.dto';
import { CatalogueRegistrationDto } from './dto/registration.dto';
import { GuardRegistrationService } from './guard-registration.service';
import { GuardedServicesService } from './guarded-services.service';
import { SessionChecksService } from './session-checks.service';
import { remoteGuardErrors } from './remote-guard.errors';
import { remoteGuardPermissions } from './remote-guard.permissions';

const { execute } = remoteGuardPermissions;

/** What `castellan/guard` asks in other services. */
@ApiTags('Guards of other services')
@ApiController('guard')
export class RemoteGuardController {
  constructor(
    private readonly services: GuardedServicesService,
    private readonly checks: SessionChecksService,
    private readonly registration: GuardRegistrationService,
    private readonly streams: ChangeStreamsService,
  ) {}

  @Post('check')
  @Authenticated()
  @AllowClients(execute)
  @PreValidationGuards(ClientOnlyGuard)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Check the session of a request to another service',
    description:
      "For OAuth clients with `remote_guard:execute` and one introspection resource, the service's own. A session that is not accepted is no error: `active` is false.",
  })
  @ApiOkResponse({ type: SessionCheckDto })
  @ProblemResponses(remoteGuardErrors.clientRequired, remoteGuardErrors.guardScopeRequired)
  async check(
    @Body() body: CheckSessionDto,
    @CurrentCallerOrClient() client: OAuthClientPrincipal,
  ): Promise<SessionCheckDto> {
    const { scope } = await this.services.require(client.clientId);
    return this.checks.check(scope, body);
  }

  @Put('catalogue')
  @Authenticated()
  @AllowClients(execute)
  @PreValidationGuards(ClientOnlyGuard)
  @ApiOperation({
    summary: 'Register the permissions of another service',
    description:
      'A service does so when it starts. Adds and updates permissions, and removes none. The user who set the introspection resource must still hold `*:*` at level 7 in its scope.',
  })
  @ApiOkResponse({ type: CatalogueRegistrationDto })
  @ProblemResponses(
    remoteGuardErrors.clientRequired,
    remoteGuardErrors.guardScopeRequired,
    accessErrors.escalationDenied,
  )
  async register(
    @Body() body: RegisterCatalogueDto,
    @CurrentCallerOrClient() client: OAuthClientPrincipal,
    @Req() request: FastifyRequest,
  ): Promise<CatalogueRegistrationDto> {
    return this.registration.register(await this.services.require(client.clientId), body, request);
  }

  @Get('stream')
  @RequireKnownOrigin()
  @Authenticated()
  @AllowClients(execute)
  @PreValidationGuards(ClientOnlyGuard)
  @ApiOperation({
    summary: 'Follow changes of sessions and permissions',
    description:
      'Server-sent events, for at most 15 minutes: `heartbeat` each second with `access_cookie`, and `change` with `at` and the `subjects` of session checks that are outdated; without `subjects`, all are.',
  })
  @ApiProduces(EVENT_STREAM)
  @ApiOkResponse({ schema: { type: 'string' }, description: 'The events, until the client disconnects' })
  @ProblemResponses(
    remoteGuardErrors.clientRequired,
    remoteGuardErrors.guardScopeRequired,
    platformErrors.csrfRejected,
    platformErrors.rateLimited,
  )
  async stream(
    @CurrentCallerOrClient() { clientId }: OAuthClientPrincipal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    await this.services.require(clientId);
    return eventStreamFile(await this.streams.open(clientId, request), reply);
  }
}
