export * from './kinds';
export * from './setting';
