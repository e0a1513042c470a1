import { OrderedAuditEvent } from '../../audit';
import { EVENT_FAMILIES } from './event-definitions';
import { changedFields, MappedEvent, stateOf, targetOf, textOf, textsOf } from './mapped-event';

const FAMILIES: ReadonlySet<string> = new Set(EVENT_FAMILIES);
const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['send', 'sent'],
  ['resend', 'resent'],
  ['withdraw', 'withdrawn'],
]);
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Acts of a family: `group.create` becomes `group.created`, and `group.add_users` becomes `group.users_added`. */
export function familyTypeOf(action: string): string | undefined {
  const [family = '', verb = ''] = action.split('.');
  return FAMILIES.has(family) && verb !== '' ? `${family}.${pastOf(verb)}` : undefined;
}

/** The data has the names of the changed fields, and the ids of the state after the act, so no personal data. */
export function mapFamilyAction(act: OrderedAuditEvent): MappedEvent[] {
  const type = familyTypeOf(act.action);
  if (type === undefined) return [];
  const [family = ''] = act.action.split('.');
  return [{ type, subject: targetOf(act, family), data: { fields: changedFields(act), ...idsOf(act.after) } }];
}

function pastOf(act: string): string {
  const [verb = '', ...objects] = act.split('_');
  return [...objects, IRREGULAR.get(verb) ?? regularPastOf(verb)].join('_');
}

function regularPastOf(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ied` : `${verb}ed`;
}

/** Members such as `organization_id` and `added_ids` with ids. */
function idsOf(state: object | null): Record<string, unknown> {
  const members = Object.entries(stateOf(state)).filter(([name, value]) =>
    name.endsWith('_ids')
      ? textsOf(value).every((id) => ID.test(id))
      : name.endsWith('_id') && ID.test(textOf(value) ?? ''),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, name.endsWith('_ids') ? textsOf(value) : value]));
}
