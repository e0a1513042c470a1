import { defineAct } from '../../audit';

export const attributeActs = {
  create: defineAct<{ after: object }>('attribute.create'),
  update: defineAct<{ before: object; after: object }>('attribute.update'),
  delete: defineAct<{ before: object }>('attribute.delete'),
};
