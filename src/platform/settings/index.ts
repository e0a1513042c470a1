export * from './kinds';
export * from './setting';
export * from './setting-check';
