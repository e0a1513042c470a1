import { Delete, Get, HttpCode, Param, Req } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiProperty, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiController, CurrentCaller, Authenticated } from '../../../platform/access';
import type { Caller } from '../../../platform/context';
import { contextOf } from '../../../platform/context';
import { platformErrors } from '../../../platform/errors';
import { ProblemResponses } from '../../../platform/http/problems';
import { ClientScopesService, WordedScope } from '../clients/client-scopes.service';
import { ConsentRow } from '../clients/consent.repository';
import { ConsentsService } from './consents.service';

export class WordedScopeDto {
  @ApiProperty({ example: 'profile' }) name: string;
  @ApiProperty({ description: "Description in the caller's language", example: 'See your name and picture' })
  description: string;
}

class ConsentClientDto {
  @ApiProperty({ description: "The client's `client_id`", example: 'as-it-was-registered' }) id: string;
  @ApiProperty({ example: 'Reports' }) name: string;
  @ApiProperty({ example: 'https://reports.example.com/logo.svg' }) logo: string;
}

class ConsentDto {
  @ApiProperty({ type: ConsentClientDto }) client: ConsentClientDto;
  @ApiProperty({ type: [WordedScopeDto] }) scopes: WordedScopeDto[];
  @ApiProperty({ format: 'date-time' }) granted_at: string;
  @ApiProperty({ format: 'date-time' }) last_used_at: string;
}

@ApiSchema({ description: 'The applications with their granted scopes' })
class ConsentListDto {
  @ApiProperty({ type: [ConsentDto] }) items: ConsentDto[];
}

@ApiTags('OAuth consents')
@ApiController('oauth/consent')
export class ConsentsController {
  constructor(
    private readonly consents: ConsentsService,
    private readonly scopes: ClientScopesService,
  ) {}

  @Get()
  @Authenticated()
  @ApiOperation({ summary: 'List the consents of the caller', description: 'Most recently used first.' })
  @ApiOkResponse({ type: ConsentListDto })
  async list(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<ConsentListDto> {
    const rows = await this.consents.list(caller.userId);
    const names = [...new Set(rows.flatMap(({ scopes }) => scopes))];
    const words = await this.scopes.inWords(names, contextOf(request).language);
    const byName = new Map(words.map((word) => [word.name, word]));
    return { items: rows.map((row) => consentDto(row, byName)) };
  }

  @Delete(':client_id')
  @Authenticated()
  @HttpCode(204)
  @ApiOperation({ summary: 'Withdraw a consent', description: "Revokes the application's tokens for the caller." })
  @ApiNoContentResponse()
  @ProblemResponses(platformErrors.notFound)
  withdraw(@Param('client_id') clientId: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.consents.withdraw(caller.userId, clientId);
  }
}

function consentDto(row: ConsentRow, words: ReadonlyMap<string, WordedScope>): ConsentDto {
  return {
    client: { id: row.clientId, name: row.name, logo: row.logo },
    scopes: row.scopes.map((name) => words.get(name) ?? { name, description: name }),
    granted_at: row.grantedAt.toISOString(),
    last_used_at: row.lastUsedAt.toISOString(),
  };
}
