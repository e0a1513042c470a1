export { can, type Permission, type PermissionHolder } from '../can';
export type { Pending, PendingDuty, User } from '../models';
export type { Send } from '../renewing-fetch';
export { expressAuthentication, fastifyAuthentication, handOn, honoAuthentication, requestHeaders } from './adapters';
export {
  type Acting,
  type Authentication,
  type BrowserRequest,
  CastellanServer,
  type CastellanServerOptions,
  CastellanUnavailableError,
} from './castellan-server';
