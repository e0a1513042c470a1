import { Act, defineAct } from '../../audit';

/** The content, its provider's template and its version. */
interface TemplateChange {
  readonly before: object;
  readonly after: object;
}

/** Writes a version of a template. */
export type TemplateAct = Act<TemplateChange>;

export const messageTemplateActs = {
  update: defineAct<TemplateChange>('message_template.update'),
  rollback: defineAct<TemplateChange>('message_template.rollback'),
  test: defineAct<{ after: { readonly target: string } }>('message_template.test'),
};
