import { Body, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import {
  AllowWhileActing,
  AllowClients,
  Authenticated,
  CurrentCallerOrClient,
  ServiceController,
} from '../../platform/access';
import { AuthzenRoute, BodyLimit, LARGE_BODY_BYTES } from '../../platform/http';
import type { Caller, OAuthClientPrincipal } from '../../platform/context';
import { contextOf } from '../../platform/context';
import { TranslatorService } from '../../platform/i18n';
import { UncheckedInput } from '../../platform/http/input';
import { cataloguePermissions } from '../grants/rbac.permissions';
import { AccessEvaluationsService } from './access-evaluations.service';
import {
  DecisionDto,
  DecisionsDto,
  DecisionWriter,
  EvaluationRequestDto,
  EvaluationsRequestDto,
} from './evaluation.dto';

/** The policy decision point of the OpenID AuthZEN Authorization API 1.0 (§6, §7). */
@ApiTags('AuthZEN')
@ApiExtraModels(DecisionDto, DecisionsDto)
@AuthzenRoute
@ServiceController('access/v1')
export class AuthzenController {
  constructor(
    private readonly evaluations: AccessEvaluationsService,
    private readonly translator: TranslatorService,
  ) {}

  @Post('evaluation')
  @Authenticated()
  @AllowWhileActing()
  @AllowClients(cataloguePermissions.read)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Evaluate whether a subject may access a resource',
    description:
      'OpenID AuthZEN Authorization API 1.0, §6. Users ask about themselves without a permission, and about others with `permission:read`. A denial is a 200 with `"decision": false`.',
  })
  @ApiBody({ type: EvaluationRequestDto })
  @ApiOkResponse({ type: DecisionDto })
  async evaluation(
    @Body() @UncheckedInput() body: unknown,
    @CurrentCallerOrClient() caller: Caller | OAuthClientPrincipal,
    @Req() request: FastifyRequest,
  ): Promise<DecisionDto> {
    return this.writer(request).decision(await this.evaluations.evaluate(caller, body));
  }

  @Post('evaluations')
  @Authenticated()
  @AllowWhileActing()
  @AllowClients(cataloguePermissions.read)
  @BodyLimit(LARGE_BODY_BYTES)
  @HttpCode(200)
  @ApiOperation({
    summary: 'Evaluate several requests for access',
    description:
      'OpenID AuthZEN Authorization API 1.0, §7. An entry that cannot be evaluated is denied with its error.',
  })
  @ApiBody({ type: EvaluationsRequestDto })
  @ApiOkResponse({
    schema: { oneOf: [{ $ref: getSchemaPath(DecisionsDto) }, { $ref: getSchemaPath(DecisionDto) }] },
  })
  async evaluateAll(
    @Body() @UncheckedInput() body: unknown,
    @CurrentCallerOrClient() caller: Caller | OAuthClientPrincipal,
    @Req() request: FastifyRequest,
  ): Promise<DecisionDto | DecisionsDto> {
    return this.writer(request).decisions(await this.evaluations.evaluateAll(caller, body));
  }

  private writer(request: FastifyRequest): DecisionWriter {
    return new DecisionWriter(this.translator, contextOf(request).language);
  }
}
