export * from './fields';
export * from './id.pipe';
export * from './input.pipe';
export * from './rule';
export * from './strict-names.interceptor';
