export { can, levelNames, rankOf, type Permission, type PermissionHolder } from './can';
export { type CastellanClient, type CastellanClientOptions, createCastellanClient } from './client';
export { CookieJar, fetchWithCookies } from './cookie-jar';
export type { CastellanEvents } from './events';
export type {
  GivableRole,
  Group,
  Invitation,
  OpenInvitation,
  Organization,
  OrganizationMember,
  OrganizationSettings,
  Pending,
  PendingDuty,
  Role,
  Session,
  User,
} from './models';
export { type FieldProblem, isProblem, type Problem } from './problem';
export type { Send } from './renewing-fetch';
export type { components, ErrorCode, paths } from './schema';
export { createServiceFetch, type ServiceFetch, type ServiceFetchOptions } from './service-fetch';
