export * from './operator';
export * from './request-context';
export * from './safe-methods';
