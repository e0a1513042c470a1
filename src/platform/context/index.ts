export { leaveActing } from './acting';
export * from './system-actor';
export * from './request-context';
export * from './request-in';
export * from './safe-methods';
