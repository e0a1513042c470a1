export * from './failure-log.service';
export * from './problem-body';
export * from './problem-responder.service';
export * from './problem.filter';
export * from './to-problem';
export * from './problem-responses';
