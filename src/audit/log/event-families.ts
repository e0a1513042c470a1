import { ActDeclaration, ActStates, changedFields } from './define-act';

/** Families of types whose data are the changed fields and the ids of the act. */
export const EVENT_FAMILIES = ['group', 'organization', 'invitation'] as const;

export type FamilyEventType = `${(typeof EVENT_FAMILIES)[number]}.${string}`;

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const declared = new Set<string>();

/** Types of families of the modules loaded so far. */
export const declaredFamilyTypes = (): readonly string[] => [...declared];

/** The act is an event of a family: with the names of the changed fields, and the ids of the state after it, so no personal data. */
export function familyEvent<S extends ActStates>(type: FamilyEventType): ActDeclaration<S> {
  declared.add(type);
  const [family = ''] = type.split('.');
  return {
    events: (act) => [
      {
        type,
        subject: act.targetId === null ? null : { type: family, id: act.targetId, name: act.targetLabel },
        data: { fields: changedFields(act), ...idsOf(act.after) },
      },
    ],
  };
}

/** Members such as `organization_id` and `added_ids` with ids. */
function idsOf(state: object): Record<string, unknown> {
  const members = Object.entries(state) as [string, unknown][];
  return Object.fromEntries(
    members.flatMap(([name, value]): [string, unknown][] => {
      if (name.endsWith('_id') && isId(value)) return [[name, value]];
      if (!name.endsWith('_ids')) return [];
      const texts = Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
      return texts.every(isId) ? [[name, texts]] : [];
    }),
  );
}

const isId = (value: unknown): boolean => typeof value === 'string' && ID.test(value);
