export * from './avatar';
export * from './email';
export * from './identifier';
export * from './nickname';
export * from './password';
export * from './phone';
export * from './username';
