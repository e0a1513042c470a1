import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CookieScopesService } from '../../platform/http';
import { CatalogueRegistrationService, RegisterCatalogueDto } from '../../rbac';
import { CatalogueRegistrationDto } from './dto/registration.dto';
import { GuardedService } from './guarded-services.service';

/** Registers a service when it starts, and returns what its guard needs. */
@Injectable()
export class GuardRegistrationService {
  constructor(
    private readonly catalogue: CatalogueRegistrationService,
    private readonly cookies: CookieScopesService,
  ) {}

  /** Errors: `validation_failed`, `escalation_denied`. */
  async register(
    { scope, setterId }: GuardedService,
    { permissions }: RegisterCatalogueDto,
    request: FastifyRequest,
  ): Promise<CatalogueRegistrationDto> {
    const { added, updated } = await this.catalogue.register({ userId: setterId }, scope, permissions);
    return { scope, access_cookie: await this.accessCookie(request), added, updated };
  }

  /** Name of the access cookie. */
  async accessCookie(request: FastifyRequest): Promise<string> {
    return `${await this.cookies.prefix(request)}_access`;
  }
}
