export * from './kinds';
export * from './setting';
export * from './setting-duties';
export * from './settings-validator';
