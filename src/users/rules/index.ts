export * from './avatar';
export * from './email';
export * from './identifier';
export * from './nickname';
export * from './phone';
export * from './username';
