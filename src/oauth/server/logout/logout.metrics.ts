import { defineCounter } from '../../../platform/metrics';

export const logoutNotices = defineCounter({
  name: 'castellan_logout_notices_total',
  help: 'Logout notifications to clients, by outcome (delivered, deferred: after the first tries, failed: after the last)',
  labelNames: ['outcome'],
  startingAtZero: [{ outcome: 'failed' }],
});
