import { defineCounter } from '../../platform/metrics';

export const refreshes = defineCounter({
  name: 'castellan_refreshes_total',
  help: 'Refreshes, by outcome (rotated, grace, or the error code)',
  labelNames: ['outcome'],
});
