import {
  Act,
  ActEvent,
  changedFieldNames,
  changedFields,
  defineAct,
  defineFeedEvents,
  eventField,
  StoredAct,
} from '../audit';
import type { UserChange } from './user.repository';

const { text } = eventField;

export const userEvents = defineFeedEvents({
  'user.created': {
    meaning: 'An account was created.',
    subject: 'user',
    data: { source: text('`register`, `bind`, `provider`, `admin`, `import` or the command line') },
    optional: ['source'],
  },
  'user.updated': {
    meaning: 'The profile or attributes changed. Attributes are named `attributes.<name>`.',
    subject: 'user',
    data: { fields: changedFieldNames },
  },
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
    data: { fields: changedFieldNames },
  },
  'user.password_changed': {
    meaning: 'The account has a new password.',
    subject: 'user',
    data: { how: text('`change` by the user, `reset` by a code, `set` by an administrator, or `import`') },
  },
  'user.locked': { meaning: 'Failed attempts locked the account for a while.', subject: 'user', data: {} },
  'user.unlocked': { meaning: 'An administrator ended a lock.', subject: 'user', data: {} },
});

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** Changed fields of an account. */
export type UserState = {
  readonly [Name in keyof Omit<UserChange, 'attributes' | 'formerUsername'> as SnakeCase<Name>]?:
    UserChange[Name] | undefined;
} & {
  /** Names only. */
  readonly attributes?: readonly string[];
  readonly former_username?: string;
};

/** Of an import. */
type ImportedState = UserState & {
  readonly source?: string;
  readonly password?: 'imported';
};

type CreatedState = UserState & {
  readonly source: string;
  /** The role that new accounts get. */
  readonly role?: string;
  readonly roles?: readonly string[];
};

interface DeletionState {
  readonly deletion_due_at: string;
}

/** What a rejected attempt to prove a secret records, besides its error. */
export interface AttemptState {
  /** The login method. */
  readonly method?: string;
  readonly second_factor?: string;
  /** Type and id of the factor. */
  readonly type?: string;
  readonly id?: string;
  readonly code?: string;
  /** Whether the attempt locked the account. */
  readonly locked?: boolean;
}

/** An act of which rejected attempts count toward the lock of the account. */
export type AttemptAct = Act<{ readonly after?: AttemptState }>;

/** Any rejected secret may have locked the account. */
export const lockEvents = ({ targetType, after }: StoredAct<{ readonly after?: AttemptState }>): ActEvent[] =>
  targetType === 'user' && after.locked === true ? [userEvents('user.locked')] : [];

const PROFILE: ReadonlySet<string> = new Set<keyof UserState>([
  'username',
  'nickname',
  'avatar',
  'locale',
  'must_change_password',
]);
const CONTACTS: ReadonlySet<string> = new Set<keyof UserState>(['email', 'email_verified', 'phone', 'phone_verified']);

/** One event for each kind of change. */
function updateEvents(act: StoredAct<{ before?: UserState; after: ImportedState }>): ActEvent[] {
  const fields = changedFields(act);
  const { status, password, attributes = [] } = act.after;
  const profile = [...fields.filter((field) => PROFILE.has(field)), ...attributes.map((name) => `attributes.${name}`)];
  const contacts = fields.filter((field) => CONTACTS.has(field));
  return [
    ...(profile.length > 0 ? [userEvents('user.updated', { fields: profile })] : []),
    ...(contacts.length > 0 ? [userEvents('user.contact_changed', { fields: contacts })] : []),
    ...(password === 'imported' ? [userEvents('user.password_changed', { how: 'import' })] : []),
    ...(status === 'disabled' ? [userEvents('user.disabled')] : []),
    ...(status === 'active' ? [userEvents('user.enabled')] : []),
  ];
}

export const userActs = {
  create: defineAct<{ after: CreatedState }>('user.create', {
    events: ({ after }) => [userEvents('user.created', { source: after.source })],
  }),
  update: defineAct<{ before?: UserState; after: ImportedState }>('user.update', { events: updateEvents }),
  delete: defineAct<{ before?: object; after?: object }>('user.delete', {
    events: () => [userEvents('user.deleted')],
  }),
  requestDeletion: defineAct<{ after: DeletionState }>('user.request_deletion', {
    events: ({ after }) => [userEvents('user.deletion_requested', { due_at: after.deletion_due_at })],
  }),
  cancelDeletion: defineAct<{ before: DeletionState }>('user.cancel_deletion', {
    events: () => [userEvents('user.deletion_cancelled')],
  }),
};
