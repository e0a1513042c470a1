/** The version of the payloads. New fields do not change it; a field that changes its meaning or ends does. */
export const PAYLOAD_VERSION = 1;

interface FieldSchema {
  readonly type: 'string' | 'array' | 'boolean';
  readonly description: string;
  readonly format?: 'uuid';
  readonly items?: { readonly type: 'string'; readonly format?: 'uuid' };
}

/** A type of event. */
export interface EventDefinition {
  readonly meaning: string;
  readonly subject: string;
  /** The fields of `data`, besides `version`. */
  readonly data: Readonly<Record<string, FieldSchema>>;
  /** Fields that are missing when they are not known. */
  readonly optional?: readonly string[];
}

// Their types are inferred, so that the types of `data` follow from the definitions.
const text = (description: string) => ({ type: 'string', description }) as const;
const flag = (description: string) => ({ type: 'boolean', description }) as const;
const id = (description: string) => ({ type: 'string', format: 'uuid', description }) as const;
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description }) as const;
const ids = (description: string) =>
  ({ type: 'array', items: { type: 'string', format: 'uuid' }, description }) as const;

const changed = texts('Names of the changed fields');
const provider = text('Name of the login provider');
const factor = { factor: text('`totp`, `passkey`, `recovery` or, after a reset, `all`'), factor_id: id('Its id') };
const roles = { role_ids: ids('The roles') };
const ofOrganization = { organization_id: id('The organisation of the role. Absent for roles of the service') };
const heldThere = { organization_id: id('The organisation in which they hold. Absent if they hold everywhere') };

/** All types with a fixed payload, and its fields. No field holds personal data or a secret. */
export const eventDefinitions = {
  'user.created': {
    meaning: 'An account was created.',
    subject: 'user',
    data: { source: text('`register`, `bind`, `provider`, `admin`, `import` or the command line') },
    optional: ['source'],
  },
  'user.updated': { meaning: 'The profile changed.', subject: 'user', data: { fields: changed } },
  'user.disabled': { meaning: 'An administrator disabled the account.', subject: 'user', data: {} },
  'user.enabled': { meaning: 'An administrator enabled the account again.', subject: 'user', data: {} },
  'user.deleted': { meaning: 'The account and its data were deleted.', subject: 'user', data: {} },
  'user.deletion_requested': {
    meaning: 'The owner asked for the deletion of the account, which follows after the days of grace.',
    subject: 'user',
    data: { due_at: text('The time of the deletion (RFC 3339)') },
  },
  'user.deletion_cancelled': {
    meaning: 'The owner or an administrator cancelled the deletion.',
    subject: 'user',
    data: {},
  },
  'user.contact_changed': {
    meaning: 'An e-mail address or phone number, or its verification, changed.',
    subject: 'user',
    data: { fields: changed },
  },
  'user.password_changed': {
    meaning: 'The account has a new password.',
    subject: 'user',
    data: { how: text('`change` by the user, `reset` by a code, `set` by an administrator, or `import`') },
  },
  'user.locked': { meaning: 'Failed attempts locked the account for a while.', subject: 'user', data: {} },
  'user.unlocked': { meaning: 'An administrator ended a lock.', subject: 'user', data: {} },
  'factor.added': {
    meaning: 'The user has a new second factor.',
    subject: 'user',
    data: factor,
    optional: ['factor_id'],
  },
  'factor.removed': {
    meaning: 'A second factor, or all of them, was removed.',
    subject: 'user',
    data: factor,
    optional: ['factor_id'],
  },
  'identity.linked': {
    meaning: 'A third-party account was linked.',
    subject: 'user',
    data: { identity_id: id('The link'), provider },
  },
  'identity.unlinked': {
    meaning: 'A third-party account was unlinked.',
    subject: 'user',
    data: { identity_id: id('The link'), provider },
  },
  'login.succeeded': {
    meaning: 'A user logged in.',
    subject: 'user',
    data: { session_id: id('The new session'), method: text('The login method'), factors: texts('RFC 8176 methods') },
    optional: ['session_id', 'method', 'factors'],
  },
  'login.failed': {
    meaning: 'A login was rejected. Without a subject if no account has the name.',
    subject: 'user',
    data: { method: text('The login method'), code: text('The error code'), provider },
    optional: ['method', 'code', 'provider'],
  },
  'session.ended': {
    meaning: 'Sessions ended other than by expiry; the actor ended them.',
    subject: 'user',
    data: {
      session_ids: ids('The sessions'),
      reason: text('`logout`, `revoked`, `limit` (too many sessions) or `refresh_reused` (an old token was used)'),
    },
  },
  'acting.started': {
    meaning: 'A user began to act as another, the subject.',
    subject: 'user',
    data: { session_id: id('The session in which the actor acts') },
  },
  'acting.ended': {
    meaning: 'A session in which another user acted as the subject ended other than by expiry.',
    subject: 'user',
    data: { session_id: id('The session in which the actor acted') },
  },
  'role.created': {
    meaning: 'A role was created.',
    subject: 'role',
    data: ofOrganization,
    optional: ['organization_id'],
  },
  'role.updated': {
    meaning: 'A role or its permissions changed.',
    subject: 'role',
    data: { fields: changed, ...ofOrganization },
    optional: ['organization_id'],
  },
  'role.deleted': {
    meaning: 'A role was deleted; its users no longer hold it.',
    subject: 'role',
    data: ofOrganization,
    optional: ['organization_id'],
  },
  'role.assigned': { meaning: 'A user got roles, which hold everywhere.', subject: 'user', data: roles },
  'role.unassigned': { meaning: 'A user lost roles that held everywhere.', subject: 'user', data: roles },
  'organization.role_assigned': {
    meaning: 'A member of an organisation got a role of it, which holds there only.',
    subject: 'user',
    data: { ...roles, organization_id: id('The organisation') },
  },
  'organization.role_unassigned': {
    meaning: 'A member of an organisation lost a role of it.',
    subject: 'user',
    data: { ...roles, organization_id: id('The organisation') },
  },
  'grant.changed': {
    meaning: 'The permissions granted directly to a user changed.',
    subject: 'user',
    data: heldThere,
    optional: ['organization_id'],
  },
  'client.created': { meaning: 'An OAuth client was registered.', subject: 'client', data: {} },
  'client.updated': { meaning: 'An OAuth client changed.', subject: 'client', data: { fields: changed } },
  'client.disabled': {
    meaning: 'An OAuth client was disabled because its owner was deleted.',
    subject: 'client',
    data: {},
  },
  'client.secret_rotated': { meaning: 'An OAuth client has a new secret.', subject: 'client', data: {} },
  'client.deleted': { meaning: 'An OAuth client was deleted.', subject: 'client', data: {} },
  'consent.granted': {
    meaning: 'A user consented to an application.',
    subject: 'user',
    data: { client_id: id('Internal id of the client'), scopes: texts('The scopes of the consent') },
  },
  'consent.withdrawn': {
    meaning: 'A user withdrew a consent.',
    subject: 'user',
    data: { client_id: id('Internal id of the client'), scopes: texts('The scopes of the consent') },
  },
  'setting.changed': {
    meaning: 'A setting changed.',
    subject: 'setting',
    data: { rollback: flag('Whether a former value was restored') },
  },
  'signing_key.rotated': {
    meaning: 'A new signing key replaces the previous one.',
    subject: 'signing_key',
    data: { usage: text('`session` or `oauth`') },
    optional: ['usage'],
  },
} as const satisfies Readonly<Record<string, EventDefinition>>;

export type DefinedEventType = keyof typeof eventDefinitions;

/** Families of types whose members follow from the act: `group.create` is `group.created`. */
export const EVENT_FAMILIES = ['group', 'organization', 'invitation'] as const;

const FAMILY_TYPE = new RegExp(`^(?:${EVENT_FAMILIES.join('|')})\\.(?:\\*|[a-z_]{1,40})$`);

/** Whether the text is a type, or a prefix such as `user.*`. */
export function isTypeFilter(filter: string): boolean {
  if (Object.hasOwn(eventDefinitions, filter) || FAMILY_TYPE.test(filter)) return true;
  return filter.endsWith('.*') && Object.keys(eventDefinitions).some((type) => type.startsWith(filter.slice(0, -1)));
}

/** Whether an event of the type is wanted. An empty list of filters wants all. */
export function matchesFilters(type: string, filters: readonly string[]): boolean {
  if (filters.length === 0) return true;
  return filters.some((filter) => (filter.endsWith('.*') ? type.startsWith(filter.slice(0, -1)) : type === filter));
}
