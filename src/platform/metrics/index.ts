export * from './metrics.service';
export * from './platform-metrics.service';
