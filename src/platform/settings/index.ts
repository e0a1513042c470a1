export * from './branding';
export * from './kinds';
export * from './setting';
export * from './setting-check';
