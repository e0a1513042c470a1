import { defineCounter } from '../../platform/metrics';

export const auditBatches = defineCounter({
  name: 'castellan_audit_sink_batches_total',
  help: 'Batches of the audit log sent to its receivers, by outcome (delivered, failed: sent again, partly: the receiver dropped events, skipped: one event that it rejected for an hour)',
  labelNames: ['sink', 'outcome'],
});
