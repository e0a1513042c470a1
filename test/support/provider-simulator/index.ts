export * from './exchange';
export * from './oidc-vendors';
export * from './person';
export * from './simulator';
export * from './vendors';
