import { defineAct } from '../audit';

export const importExportActs = {
  /** An import adds to an account that exists. */
  merge: defineAct<{ after: object }>('user.merge'),
  exportOwn: defineAct('user.export_own'),
};
