export { defineCounter, type CounterDefinition } from './counters';
export * from './metrics.service';
export * from './platform-metrics.service';
