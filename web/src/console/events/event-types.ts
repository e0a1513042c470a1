/** Names of the events in each family. */
export const eventFamilies = {
  user: [
    'created',
    'updated',
    'disabled',
    'enabled',
    'deleted',
    'deletion_requested',
    'deletion_cancelled',
    'contact_changed',
    'password_changed',
    'locked',
    'unlocked',
  ],
  factor: ['added', 'removed'],
  identity: ['linked', 'unlinked'],
  login: ['succeeded', 'failed'],
  acting: ['started', 'ended'],
  session: ['ended'],
  role: ['created', 'updated', 'deleted', 'assigned', 'unassigned'],
  grant: ['changed'],
  group: ['created', 'updated', 'deleted', 'users_added', 'users_removed'],
  organization: [
    'created',
    'updated',
    'deleted',
    'settings_updated',
    'members_added',
    'members_removed',
    'member_updated',
    'administrator_lost',
    'set_up_suspended',
    'set_up_restored',
    'pending_member_added',
    'pending_member_updated',
    'pending_member_removed',
    'role_assigned',
    'role_unassigned',
    'domain_added',
    'domain_verified',
    'domain_updated',
    'domain_removed',
  ],
  invitation: ['created', 'resent', 'withdrawn', 'disabled', 'accepted'],
  client: ['created', 'updated', 'disabled', 'secret_rotated', 'deleted'],
  consent: ['granted', 'withdrawn'],
  setting: ['changed'],
  signing_key: ['rotated'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EventFamily = keyof typeof eventFamilies;

export const familyNames = Object.keys(eventFamilies) as EventFamily[];

/** The filter of all types of a family. */
export const wholeFamily = (family: EventFamily): string => `${family}.*`;

export const typesIn = (family: EventFamily): string[] => eventFamilies[family].map((name) => `${family}.${name}`);

const allTypes: ReadonlySet<string> = new Set(familyNames.flatMap(typesIn));

export const hasTitle = (type: string): boolean => allTypes.has(type);
