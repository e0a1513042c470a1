import {
  ActEvent,
  changedFieldNames,
  changedFields,
  defineAct,
  defineFeedEvents,
  eventField,
  StoredAct,
} from '../../../audit';

const { id, texts } = eventField;
const consentData = { client_id: id('Internal id of the client'), scopes: texts('The scopes of the consent') };

export const clientEvents = defineFeedEvents({
  'client.created': { meaning: 'An OAuth client was registered.', subject: 'client', data: {} },
  'client.updated': { meaning: 'An OAuth client changed.', subject: 'client', data: { fields: changedFieldNames } },
  'client.disabled': {
    meaning: 'An OAuth client was disabled because its owner was deleted.',
    subject: 'client',
    data: {},
  },
  'client.secret_rotated': { meaning: 'An OAuth client has a new secret.', subject: 'client', data: {} },
  'client.deleted': { meaning: 'An OAuth client was deleted.', subject: 'client', data: {} },
  'consent.granted': { meaning: 'A user consented to an application.', subject: 'user', data: consentData },
  'consent.withdrawn': { meaning: 'A user withdrew a consent.', subject: 'user', data: consentData },
});

interface OwnerState {
  readonly owner_id: string | null;
  readonly enabled: boolean;
}

export interface OrganizationOfClient {
  readonly organization_id: string | null;
}

export const clientActs = {
  create: defineAct<{ after: object }>('oauth_client.create', { events: () => [clientEvents('client.created')] }),
  update: defineAct<{ before: object; after: object }>('oauth_client.update', {
    events: (act) => [clientEvents('client.updated', { fields: changedFields(act) })],
  }),
  tie: defineAct<{ after: OrganizationOfClient }>('oauth_client.tie'),
  untie: defineAct<{ before: OrganizationOfClient }>('oauth_client.untie'),
  disable: defineAct<{ before: OwnerState; after: OwnerState }>('oauth_client.disable', {
    events: () => [clientEvents('client.disabled')],
  }),
  rotateSecret: defineAct<{ after: { readonly overlap_seconds: number } }>('oauth_client.rotate_secret', {
    events: () => [clientEvents('client.secret_rotated')],
  }),
  delete: defineAct<{ before: object }>('oauth_client.delete', { events: () => [clientEvents('client.deleted')] }),
  rejectUser: defineAct<{ after: { readonly step: string } }>('oauth_client.reject_user'),
};

interface ConsentState extends Partial<Readonly<Record<'refused', readonly string[]>>> {
  readonly scopes: readonly string[];
}

/** The target is the client, and the actor is the user. */
function consentEvent(
  type: 'consent.granted' | 'consent.withdrawn',
  { actorId, actorName, targetId }: Pick<StoredAct<object>, 'actorId' | 'actorName' | 'targetId'>,
  { scopes }: ConsentState,
): ActEvent[] {
  if (actorId === null || targetId === null) return [];
  return [clientEvents(type, { client_id: targetId, scopes }, { type: 'user', id: actorId, name: actorName })];
}

export const consentActs = {
  grant: defineAct<{ after: ConsentState }>('oauth_consent.grant', {
    events: (act) => consentEvent('consent.granted', act, act.after),
  }),
  withdraw: defineAct<{ before: ConsentState }>('oauth_consent.withdraw', {
    events: (act) => consentEvent('consent.withdrawn', act, act.before),
  }),
};

export const oauthGrantActs = {
  revoke: defineAct<{
    after: {
      readonly user_id?: string | undefined;
      readonly client_id: string | undefined;
      readonly token_type: string;
    };
  }>('oauth_grant.revoke'),
  /** A failure that ends the grant. */
  revokeReplayed: defineAct<{
    after: { readonly user_id: string | undefined; readonly client_id: string | undefined };
  }>('oauth_grant.revoke_replayed'),
};
