import { defineCounter } from '../../platform/metrics';

export const webhookAttempts = defineCounter({
  name: 'castellan_webhook_attempts_total',
  help: 'Attempts to deliver events to webhooks, by outcome (delivered, failed: retried later, given_up: the last one)',
  labelNames: ['outcome'],
  startingAtZero: [{ outcome: 'given_up' }],
});
