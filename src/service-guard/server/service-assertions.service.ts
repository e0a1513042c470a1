import { Injectable } from '@nestjs/common';
import { resourceOf, serviceOf } from '../../oauth';
import { Environment } from '../../platform/config';
import { Caller } from '../../platform/context';
import { ASSERTION_SECONDS } from '../../platform/crypto';
import { platformErrors } from '../../platform/errors';
import { CatalogueService } from '../../rbac';
import { SessionAssertionsService, TokenHolder } from '../../session';
import { AssertionDto, RequestAssertionDto } from './dto/assertion.dto';

/** Exchanges a session for assertions to other services, so that they receive no session token. */
@Injectable()
export class ServiceAssertionsService {
  constructor(
    private readonly assertions: SessionAssertionsService,
    private readonly catalogue: CatalogueService,
    private readonly environment: Environment,
  ) {}

  /** Errors: `validation_failed` unless the audience is another service whose permissions are kept here. */
  async issue(caller: Caller, { audience }: RequestAssertionDto): Promise<AssertionDto> {
    const code = await this.problemOf(audience);
    if (code !== undefined) throw platformErrors.validationFailed({ fields: [{ field: 'audience', code }] });
    return { assertion: await this.assertions.issue(caller, audience), expires_in: ASSERTION_SECONDS };
  }

  /**
   * @param scope the scope of the service that received the assertion
   * Errors: `unauthenticated`, `token_expired`, `session_revoked`.
   */
  authenticate(scope: string, assertion: string): Promise<TokenHolder> {
    return this.assertions.authenticate(assertion, resourceOf(scope));
  }

  private async problemOf(audience: string): Promise<string | undefined> {
    const scope = serviceOf(audience);
    if (scope === this.environment.serviceScope) return 'own_resource';
    return scope !== undefined && (await this.catalogue.isService(scope)) ? undefined : 'unknown_resource';
  }
}
