import { Global, Module } from '@nestjs/common';
import { LifecycleService } from './lifecycle.service';
import { RouteAuditService } from './platform/access';
import { SecretReloadService } from './secret-reload.service';
import { SessionModule } from './session';

/**
 * Nest shuts global modules down after all others, and the one registered last first. @nestjs/typeorm closes the data
 * source in a global module; the end of a service writes to it before that, so this module is registered later.
 */
@Global()
@Module({ imports: [SessionModule], providers: [LifecycleService, RouteAuditService, SecretReloadService] })
class LifecycleProvidersModule {}

/** One level in between: Nest registers what a dynamic module imports before what those modules import in turn. */
@Module({ imports: [LifecycleProvidersModule] })
export class LifecycleModule {}
