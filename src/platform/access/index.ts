export * from './access.guard';
export * from './access.ports';
export * from './api-controller';
export {
  AuthzenRoute,
  ForClients,
  isAuthzenRoute,
  isHealthRoute,
  isOwnRoute,
  isOAuthController,
  isOAuthRoute,
  isRouteForClients,
  HealthRoute,
} from './own-routes';
export { ClientAuthenticatorService } from './client-authenticator.service';
export * from '../policy';
export * from './organization-reach.service';
export { type DutyBearer, PendingDutiesService } from './pending-duties.service';
export * from './recent-login.service';
export { RoutePermissionsService } from './route-permissions.service';
export { UserAdmissionService } from './user-admission.service';
export * from './route-audit.service';
export { claimControllers, isServiceRoute } from './service-routes';
