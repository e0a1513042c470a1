import { DynamicModule, Inject, Module, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { migrations } from '#migrations';
import { AccessModule } from './access.module';
import { auditFeature } from '../audit';
import { auditChainFeature } from '../audit/chain';
import { auditSinksFeature } from '../audit/sinks';
import { authFeature } from '../auth';
import { avatarsFeature } from '../users/avatars';
import { diagnosticsFeature } from '../operations/diagnostics';
import { eventFeedFeature } from '../events/feed';
import { eventHandlersFeature } from '../events/handlers';
import { hostApiFeature } from '../host-api';
import { HostPartsModule } from './host-parts.module';
import { IdentityAsyncOptions, IdentityExtensions, IdentityOptions } from './identity.options';
import { invitationsFeature } from '../organizations/invitations';
import { loginFeature } from '../auth/login';
import { importExportFeature } from '../import-export';
import { healthFeature } from '../operations/health';
import { infoFeature } from '../operations/info';
import { LifecycleModule } from '../operations/lifecycle';
import { mfaFeature } from '../mfa';
import { oauthFeature } from '../oauth';
import { messagingFeature } from '../messaging';
import { claimControllers } from '../platform/http';
import { Schema } from '../platform/database';
import { Feature } from '../platform/feature';
import { PlatformModule } from '../platform/platform.module';
import { PlatformOptions } from '../platform/platform.options';
import { ownDataFeature } from '../import-export/data-export';
import { organizationsFeature } from '../organizations';
import { organizationDomainsFeature } from '../organizations/domains';
import { organizationSettingsFeature } from '../organizations/settings';
import { authorityFeature, authzenFeature, groupsFeature, rbacFeature, rolesFeature } from '../rbac';
import { remoteGuardFeature } from '../service-guard/server';
import { holdsSigningKeys, sessionFeature } from '../session';
import { settingsFeature } from '../settings';
import { statisticsFeature } from '../operations/statistics';
import { userAdminFeature } from '../user-admin';
import { usersFeature } from '../users';
import { attributesFeature } from '../users/attributes';
import { verificationFeature } from '../verification';
import { webhooksFeature } from '../events/webhooks';

/** All features, in the order of the API document. */
const features: readonly Feature[] = [
  authFeature,
  sessionFeature,
  loginFeature,
  mfaFeature,
  oauthFeature,
  remoteGuardFeature,
  attributesFeature,
  usersFeature,
  avatarsFeature,
  ownDataFeature,
  userAdminFeature,
  hostApiFeature,
  rolesFeature,
  groupsFeature,
  organizationsFeature,
  authorityFeature,
  authzenFeature,
  rbacFeature,
  organizationDomainsFeature,
  organizationSettingsFeature,
  settingsFeature,
  invitationsFeature,
  verificationFeature,
  messagingFeature,
  auditFeature,
  auditChainFeature,
  auditSinksFeature,
  eventFeedFeature,
  eventHandlersFeature,
  webhooksFeature,
  statisticsFeature,
  importExportFeature,
  infoFeature,
  diagnosticsFeature,
  healthFeature,
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

/** Two instances would serve the same routes and tables, and fail with an error that does not name the cause. */
function rejectSecond(modules: ModulesContainer): true {
  const ours = [...modules.values()].filter(({ metatype }) => metatype === IdentityModule);
  if (ours.length > 1) {
    throw new Error('IdentityModule.forRoot is imported twice: import it once, its exports are global');
  }
  return true;
}

/**
 * Castellan as a module. A host imports `IdentityModule.forRoot()` and calls `installHttp(app)`. The standalone server
 * is one such host.
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
   * Same as `forRoot`, but a factory provides the environment, the log and the other values, and may inject providers
   * of `imports`. `extensions` decides which modules exist, so it is given outside the factory.
   */
  static forRootAsync({ imports = [], extensions = {}, ...factory }: IdentityAsyncOptions): DynamicModule {
    const hostParts = HostPartsModule.forRoot(factory, { imports, extensions });
    const platform = PlatformModule.forRoot(platformOptions(extensions));
    const modules = [platform, AccessModule, ...features.map(({ module }) => module)];
    claimControllers(modules);
    return {
      module: IdentityModule,
      // Hosts use our guard and services in their modules. Global visibility changes nothing in the host.
      global: true,
      imports: [hostParts, ...modules, LifecycleModule],
      providers: [{ provide: ONE_ALONE, inject: [ModulesContainer], useFactory: rejectSecond }],
      exports: modules,
    };
  }
}
