import { defineCounter } from '../../platform/metrics';

export const logins = defineCounter({
  name: 'castellan_logins_total',
  help: 'Logins, by method and outcome (success, or the error code)',
  labelNames: ['method', 'outcome'],
});
