import { DynamicModule, Inject, Module, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { migrations } from '#migrations';
import { AccessModule } from './access.module';
import { auditFeature } from './audit';
import { authFeature } from './auth';
import { diagnosticsFeature } from './diagnostics';
import { HostPartsModule } from './host-parts.module';
import { IdentityAsyncOptions, IdentityExtensions, IdentityOptions } from './identity.options';
import { loginFeature } from './login';
import { importExportFeature } from './import-export';
import { infoFeature } from './info';
import { LifecycleModule } from './lifecycle.module';
import { mfaFeature } from './mfa';
import { oauthFeature } from './oauth';
import { messagingFeature } from './messaging';
import { claimControllers } from './platform/access';
import { Schema } from './platform/database';
import { Feature } from './platform/feature';
import { PlatformModule } from './platform/platform.module';
import { PlatformOptions } from './platform/platform.options';
import { rbacFeature } from './rbac';
import { holdsSigningKeys, sessionFeature } from './session';
import { settingsFeature } from './settings';
import { statisticsFeature } from './statistics';
import { userAdminFeature } from './user-admin';
import { usersFeature } from './users';
import { verificationFeature } from './verification';

/** All features, in the order in which a reader of the API's document needs them. */
const features: readonly Feature[] = [
  authFeature,
  sessionFeature,
  loginFeature,
  mfaFeature,
  oauthFeature,
  usersFeature,
  userAdminFeature,
  rbacFeature,
  settingsFeature,
  verificationFeature,
  messagingFeature,
  auditFeature,
  statisticsFeature,
  importExportFeature,
  infoFeature,
  diagnosticsFeature,
];

export const schema: Schema = {
  entities: features.flatMap(({ entities = [] }) => entities),
  migrations,
};

const ONE_ALONE = Symbol('castellan.one_alone');

const platformOptions = ({ passwordHasher, cache }: IdentityExtensions): PlatformOptions => ({
  schema,
  isSealed: holdsSigningKeys,
  tags: Object.assign({}, ...features.map(({ tags }) => tags)) as Record<string, string>,
  ...(passwordHasher && { passwordHasher }),
  ...(cache && { cache }),
});

/** Two would be two services on the same routes and tables; the first thing to fail would name neither. */
function rejectSecond(modules: ModulesContainer): true {
  const ours = [...modules.values()].filter(({ metatype }) => metatype === IdentityModule);
  if (ours.length > 1) {
    throw new Error(
      'IdentityModule.forRoot is imported twice: import it once, and what it exports is known everywhere',
    );
  }
  return true;
}

/**
 * Castellan as a module. A host imports `IdentityModule.forRoot()` and calls `installHttp(app)`; the standalone server is
 * only the first such host.
 */
@Module({})
export class IdentityModule {
  constructor(@Optional() @Inject(ONE_ALONE) isConfigured?: true) {
    if (isConfigured) return;
    throw new Error('Import IdentityModule.forRoot() or IdentityModule.forRootAsync(), not IdentityModule alone');
  }

  static forRoot({ imports = [], extensions = {}, ...values }: IdentityOptions = {}): DynamicModule {
    return IdentityModule.forRootAsync({ imports, extensions, useFactory: () => values });
  }

  /**
   * As `forRoot`, with what the host knows only while it starts: environment, log and the like come from a factory, which
   * may ask providers of `imports`. What decides which modules there are, `extensions`, is given at once.
   */
  static forRootAsync({ imports = [], extensions = {}, ...factory }: IdentityAsyncOptions): DynamicModule {
    const platform = PlatformModule.forRoot(
      platformOptions(extensions),
      HostPartsModule.forRoot(factory, { imports, extensions }),
    );
    const modules = [platform, AccessModule, ...features.map(({ module }) => module)];
    claimControllers(modules, HostPartsModule);
    return {
      module: IdentityModule,
      // Hosts use our guard and services in their own modules; being visible here changes nothing of theirs.
      global: true,
      imports: [...modules, LifecycleModule],
      providers: [{ provide: ONE_ALONE, inject: [ModulesContainer], useFactory: rejectSecond }],
      exports: modules,
    };
  }
}
