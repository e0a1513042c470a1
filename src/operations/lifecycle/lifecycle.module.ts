import { Global, Module } from '@nestjs/common';
import { LifecycleService } from './lifecycle.service';
import { RoutePolicyValidator } from '../../platform/access';
import { SessionModule } from '../../session';
import { HealthModule } from '../health';
import { ShutdownService } from './shutdown.service';

/**
 * Nest shuts global modules down after all others, in reverse order of registration. @nestjs/typeorm closes the data
 * source in a global module, and the service's shutdown writes to it before that, so this module is registered later.
 */
@Global()
@Module({
  imports: [HealthModule, SessionModule],
  providers: [LifecycleService, ShutdownService, RoutePolicyValidator],
})
class LifecycleProvidersModule {}

/** Adds a level, because Nest registers a dynamic module's imports before the imports of those modules. */
@Module({ imports: [LifecycleProvidersModule] })
export class LifecycleModule {}
