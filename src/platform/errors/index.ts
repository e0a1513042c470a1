export * from './define-errors';
export * from './platform.errors';
export * from './problem.error';
