export * from './host-resolver';
export * from './outbound';
export * from './outbound-error';
export * from './outbound.module';
export * from './outbound.settings';
