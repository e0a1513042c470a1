export { HostWidePartsService } from './host-wide-parts.service';
export * from './reject-head';
export * from './body-limit';
export * from './browser-secrets.service';
export * from './client-address';
export * from './client-device';
export * from './client-errors';
export * from './client-origins';
export * from './cookie-scopes.service';
export * from './cookie-names';
export * from './cookie-settings.check';
export * from './cookies';
export * from './cors';
export * from './csrf';
export * from './event-stream';
export * from './form-post';
export * from './forwarding';
export * from './host-cookies.service';
export * from './http-hooks.service';
export * from './http.settings';
export * from './issuer.service';
export * from './language';
export * from './media-type';
export * from './route.registry';
export * from './proxy-trust';
export * from './push-streams';
export * from './public-origin';
export * from './rate-limiter.service';
export * from './request-checks.service';
export * from './request-id';
export * from './request-context.factory';
export * from './security-headers';
export { restoreType } from './skip-body-parsing';
export * from './http.module';
export { ForeignRequestsService } from './foreign-requests.service';
export {
  AuthzenRoute,
  ForClients,
  HealthRoute,
  OAuthRoute,
  isAuthzenRoute,
  isHealthRoute,
  isOAuthController,
  isOAuthRoute,
  isOwnRoute,
  isRouteForClients,
  markOwnRoutes,
} from './route-marks';
export { claimControllers, hostModules, isServiceRoute } from './service-routes';
