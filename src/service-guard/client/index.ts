/* `castellan/guard`: the guard for other services. Loads no database and no server of Castellan. */
export { RemoteIdentityModule } from './remote-identity.module';
export type {
  PermissionDescription,
  RemoteIdentityAsyncOptions,
  RemoteIdentityOptions,
} from './remote-identity.options';
export { RemoteAccessGuard } from './remote-access.guard';
export { RemoteProblemFilter } from './remote-problem.filter';
export { ApiController, CurrentCaller, CurrentOrganizationId, ServiceController } from './service-controller';
export {
  AllowWhileActing,
  Authenticated,
  InOrganization,
  OwnedBy,
  OwnershipRule,
  Public,
  RequirePermission,
  RequireRecentLogin,
} from '../../platform/access/policy';
export type { OrganizationRule, OwnershipRuleClass, RecentFactors } from '../../platform/access/policy';
export type { ActingUser, Caller } from '../../platform/context';
export type { Language } from '../../platform/i18n';
export { defineErrors, platformErrors, ProblemError } from '../../platform/errors';
export type { ErrorFactory, ProblemOptions, ProblemParams } from '../../platform/errors';
