import { defineAct } from './define-act';

export const auditActs = {
  export: defineAct<{ after: object }>('audit.export'),
  expire: defineAct<{ after: { readonly partitions: readonly string[]; readonly retention_days: number } }>(
    'audit.expire',
  ),
};
