export * from './catalogue-ranks';
export * from './grant';
export * from './grant-set';
export * from './permission-code';
export * from './permission-level';
