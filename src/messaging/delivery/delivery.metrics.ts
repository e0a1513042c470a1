import { defineCounter } from '../../platform/metrics';

export const deliveries = defineCounter({
  name: 'castellan_deliveries_total',
  help: 'Messages, by channel, provider and outcome (accepted, rejected, throttled, unknown)',
  labelNames: ['channel', 'provider', 'outcome'],
});
