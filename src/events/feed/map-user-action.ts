import { OrderedAuditEvent } from '../../audit';
import { presentMembers } from '../../platform/util';
import { ActMapper, changedFields, MappedEvent, stateOf, targetOf, textOf } from './mapped-event';

const PROFILE: ReadonlySet<string> = new Set(['username', 'nickname', 'avatar', 'locale', 'must_change_password']);
const CONTACTS: ReadonlySet<string> = new Set(['email', 'email_verified', 'phone', 'phone_verified']);

const mapOne =
  (type: string, dataOf: (act: OrderedAuditEvent) => Readonly<Record<string, unknown>> = () => ({})): ActMapper =>
  (act) => [{ type, subject: targetOf(act, 'user'), data: dataOf(act) }];

/** One event for each kind of change. */
function mapUpdate(act: OrderedAuditEvent): MappedEvent[] {
  const subject = targetOf(act, 'user');
  const fields = changedFields(act);
  const { status, password } = stateOf(act.after);
  const profile = fields.filter((field) => PROFILE.has(field));
  const contacts = fields.filter((field) => CONTACTS.has(field));
  return [
    ...(profile.length > 0 ? [{ type: 'user.updated', subject, data: { fields: profile } }] : []),
    ...(contacts.length > 0 ? [{ type: 'user.contact_changed', subject, data: { fields: contacts } }] : []),
    ...(password === 'imported' ? [{ type: 'user.password_changed', subject, data: { how: 'import' } }] : []),
    ...(status === 'disabled' ? [{ type: 'user.disabled', subject }] : []),
    ...(status === 'active' ? [{ type: 'user.enabled', subject }] : []),
  ];
}

const factorData = (state: object | null): Readonly<Record<string, unknown>> => {
  const { type, id } = stateOf(state);
  return presentMembers({ factor: textOf(type), factor_id: textOf(id) });
};

const deletionData = (state: object | null): Readonly<Record<string, unknown>> =>
  presentMembers({ due_at: textOf(stateOf(state)['deletion_due_at']) });

/** The target is the link. Users link and unlink their own, unless the state names the user. */
const mapIdentity =
  (type: string): ActMapper =>
  (act) => {
    const userId =
      textOf(stateOf(act.before)['user_id']) ?? textOf(stateOf(act.after)['user_id']) ?? act.actorId ?? undefined;
    if (userId === undefined) return [];
    const data = { identity_id: act.targetId, provider: act.targetLabel };
    return [{ type, subject: { type: 'user', id: userId }, data }];
  };

/** The target is the client, and the actor is the user. */
const mapConsent =
  (type: string, scopesOf: (act: OrderedAuditEvent) => unknown): ActMapper =>
  (act) =>
    act.actorId === null
      ? []
      : [
          {
            type,
            subject: { type: 'user', id: act.actorId, name: act.actorName },
            data: { client_id: act.targetId, scopes: scopesOf(act) },
          },
        ];

export const userMappers: readonly (readonly [string, ActMapper])[] = [
  ['user.create', mapOne('user.created', ({ after }) => presentMembers({ source: textOf(stateOf(after)['source']) }))],
  ['user.update', mapUpdate],
  ['user.accept_terms', mapOne('user.updated', () => ({ fields: ['terms_version'] }))],
  ['user.delete', mapOne('user.deleted')],
  ['user.request_deletion', mapOne('user.deletion_requested', ({ after }) => deletionData(after))],
  ['user.cancel_deletion', mapOne('user.deletion_cancelled')],
  ['user.unlock', mapOne('user.unlocked')],
  ['password.change', mapOne('user.password_changed', () => ({ how: 'change' }))],
  ['password.reset', mapOne('user.password_changed', () => ({ how: 'reset' }))],
  ['password.set', mapOne('user.password_changed', () => ({ how: 'set' }))],
  ['factor.add', mapOne('factor.added', ({ after }) => factorData(after))],
  ['recovery_codes.create', mapOne('factor.added', () => ({ factor: 'recovery' }))],
  ['factor.delete', mapOne('factor.removed', ({ before }) => factorData(before))],
  ['user.reset_mfa', mapOne('factor.removed', () => ({ factor: 'all' }))],
  ['identity.link', mapIdentity('identity.linked')],
  ['identity.unlink', mapIdentity('identity.unlinked')],
  ['oauth_consent.grant', mapConsent('consent.granted', ({ after }) => stateOf(after)['scopes'])],
  ['oauth_consent.withdraw', mapConsent('consent.withdrawn', ({ before }) => stateOf(before)['scopes'])],
];
