export * from './request-context';
export * from './safe-methods';
