export * from './ownership';
export * from './permission-declarations';
export * from './policy';
