export * from './access.errors';
export * from './once-per-class';
export * from './ownership';
export * from './permission-declarations';
export * from './policy';
export * from './recent-factors';
export * from './route-declarations';
export * from './route-memory';
