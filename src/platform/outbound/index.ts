export * from './collector.client';
export * from './host-resolver';
export * from './outbound.client';
export * from './outbound-error';
export * from './outbound.module';
export * from './outbound.settings';
export type { OutboundAnswer, OutboundBeginning } from './read-answer';
