export * from './define-errors';
export * from './define-problem';
export * from './platform.errors';
export * from './problem.error';
