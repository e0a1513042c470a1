export * from './failure-log';
export * from './problem-body';
export * from './problem-responder';
export * from './problem.filter';
export * from './to-problem';
export * from './problem-responses';
