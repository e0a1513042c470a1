import { CanActivate, Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config';
import { platformErrors } from '../../../platform/errors';

/** Hides the documentation routes (404) when `DOCS_ENABLED` is false. */
@Injectable()
export class DocsEnabledGuard implements CanActivate {
  constructor(private readonly environment: Environment) {}

  canActivate(): boolean {
    if (!this.environment.docsEnabled) throw platformErrors.notFound();
    return true;
  }
}
