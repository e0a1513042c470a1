export * from './create-logger';
export * from './log';
export * from './log-output';
export * from './nest-log';
export * from './nest-log-bridge';
export * from './pino-log';
