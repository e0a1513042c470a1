export * from './access.errors';
export * from './access.guard';
export * from './access.ports';
export * from './api-controller';
export {
  answerNameOf,
  AtOnce,
  ForClients,
  isOperationRoute,
  isOwnRoute,
  isProtocolController,
  isProtocolRoute,
  isRouteForClients,
  Operation,
} from './own-routes';
export { OwnedBy, OwnershipRule } from './ownership';
export type { OwnershipRuleClass } from './ownership';
export * from './permission-declarations';
export * from './policy';
export { requireUser } from './required-user';
export * from './route-audit';
