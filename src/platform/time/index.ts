export * from './deadline';
export * from './pause';
