import { Body, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  accessErrors,
  ApiController,
  Authenticated,
  CurrentCaller,
  InOrganization,
  RequirePermission,
} from '../../platform/access';
import type { FastifyRequest } from 'fastify';
import { contextOf } from '../../platform/context';
import type { Caller } from '../../platform/context';
import { platformErrors } from '../../platform/errors';
import { IdPipe } from '../../platform/http/input';
import { ProblemResponses } from '../../platform/http/problems';
import { clientPermissions } from './clients/client.permissions';
import {
  ChangeClientDto,
  ClientDto,
  clientDto,
  ClientPageDto,
  ClientSecretDto,
  CreateClientDto,
  CreatedClientDto,
  createdClientDto,
  ListClientsDto,
  RotateSecretDto,
} from './clients/client.dto';
import { ClientAccessService } from './clients/client-access.service';
import { ClientCreationService } from './clients/client-creation.service';
import { ClientDeletionService } from './clients/client-deletion.service';
import { ClientsService } from './clients/clients.service';
import { ClientPreviewDto, PreviewClientDto } from './claims/client-preview.dto';
import { ClientPreviewService } from './claims/client-preview.service';

const requires = (permission: string): string =>
  `Requires its owner, \`*:*\`, or for a client of an organization \`${permission}\` there, \`organization:update\` there and ` +
  'the permissions among its scopes. The header `X-Organization-Id` must then name the organization.';

@ApiTags('OAuth clients')
@ApiController('oauth/client')
export class ClientsController {
  constructor(
    private readonly access: ClientAccessService,
    private readonly clients: ClientsService,
    private readonly creation: ClientCreationService,
    private readonly deletion: ClientDeletionService,
    private readonly previews: ClientPreviewService,
  ) {}

  @Get()
  @Authenticated()
  @ApiOperation({
    summary: 'List the clients',
    description: 'Your own clients, or all with `oauth_client:read`; `organization_id` narrows the list. Newest first.',
  })
  @ApiOkResponse({ type: ClientPageDto })
  async list(@Query() query: ListClientsDto, @CurrentCaller() caller: Caller): Promise<ClientPageDto> {
    const { items, ...page } = await this.clients.list(caller, query);
    return { items: items.map(clientDto), ...page };
  }

  @Post()
  @RequirePermission(clientPermissions.create)
  @InOrganization()
  @ApiOperation({
    summary: 'Register a client',
    description:
      'The caller becomes the owner, and must hold every permission among its scopes. The secret is shown once. Who holds ' +
      '`oauth_client:create` in an organization only registers a client of that organization, without an owner: header ' +
      'and `organization_id` must name it.',
  })
  @ApiCreatedResponse({ type: CreatedClientDto })
  @ProblemResponses(accessErrors.escalationDenied)
  async create(@Body() body: CreateClientDto, @CurrentCaller() caller: Caller): Promise<CreatedClientDto> {
    const { client, secret } = await this.creation.create(caller, body);
    return createdClientDto(client, secret);
  }

  @Get(':id')
  @Authenticated()
  @ApiOperation({
    summary: 'Show a client',
    description: 'Requires its owner, or `oauth_client:read`, also in its organization.',
  })
  @ApiOkResponse({ type: ClientDto })
  @ProblemResponses(platformErrors.notFound)
  async show(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<ClientDto> {
    return clientDto(await this.access.find(caller, id));
  }

  @Patch(':id')
  @Authenticated()
  @ApiOperation({ summary: 'Change a client', description: requires(clientPermissions.update) })
  @ApiOkResponse({ type: ClientDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.permissionDenied, accessErrors.escalationDenied)
  async change(
    @Param('id', IdPipe) id: string,
    @Body() body: ChangeClientDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ClientDto> {
    return clientDto(await this.clients.change(caller, id, body));
  }

  @Delete(':id')
  @Authenticated()
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete a client',
    description: `Revokes all its grants and tokens. ${requires(clientPermissions.delete)}`,
  })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound, platformErrors.permissionDenied, accessErrors.escalationDenied)
  delete(@Param('id', IdPipe) id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.deletion.delete(caller, id);
  }

  @Post(':id/secret')
  @Authenticated()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Rotate the secret of a client',
    description: `The secret is shown once. The previous one stays valid for the overlap. ${requires(clientPermissions.update)}`,
  })
  @ApiOkResponse({ type: ClientSecretDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.permissionDenied, accessErrors.escalationDenied)
  async rotateSecret(
    @Param('id', IdPipe) id: string,
    @Body() body: RotateSecretDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ClientSecretDto> {
    return { client_secret: await this.clients.rotateSecret(caller, id, body.overlap_seconds ?? 0) };
  }

  @Post(':id/preview')
  @Authenticated()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Preview the claims of a user',
    description:
      'Whether the user may use the client, and what the tokens would contain, with the reasons. Requires its owner with ' +
      '`user:admin`, `user:admin` in its organization, for members of it, or `*:*`.',
  })
  @ApiOkResponse({ type: ClientPreviewDto })
  @ProblemResponses(platformErrors.notFound, platformErrors.permissionDenied)
  preview(
    @Param('id', IdPipe) id: string,
    @Body() body: PreviewClientDto,
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
  ): Promise<ClientPreviewDto> {
    return this.previews.preview(caller, id, body, contextOf(request).language);
  }
}
