export * from './kinds';
export * from './setting';
export * from './settings-validator';
