import { ActEvent, defineAct, defineFeedEvents, eventField, StoredAct } from '../../audit';
import { loginEvents } from '../../auth/login';

const linkData = { identity_id: eventField.id('The link'), provider: eventField.text('Name of the login provider') };

export const identityEvents = defineFeedEvents({
  'identity.linked': { meaning: 'A third-party account was linked.', subject: 'user', data: linkData },
  'identity.unlinked': { meaning: 'A third-party account was unlinked.', subject: 'user', data: linkData },
});

interface IdentityState {
  readonly provider: string;
  readonly issuer?: string | null;
  readonly subject_hint: string;
  readonly user_id: string;
  readonly source?: 'import';
}

/** The target is the link. Entries of former versions do not name the user, who did it. */
function identityEvent(
  type: 'identity.linked' | 'identity.unlinked',
  { actorId, targetId, targetLabel }: Pick<StoredAct<object>, 'actorId' | 'targetId' | 'targetLabel'>,
  { user_id }: Partial<Pick<IdentityState, 'user_id'>>,
): ActEvent[] {
  const userId = user_id ?? actorId;
  if (userId === null || targetId === null) return [];
  const data = { identity_id: targetId, provider: targetLabel ?? '' };
  return [identityEvents(type, data, { type: 'user', id: userId })];
}

export const identityActs = {
  link: defineAct<{ after: IdentityState }>('identity.link', {
    events: (act) => identityEvent('identity.linked', act, act.after),
  }),
  unlink: defineAct<{ before: IdentityState; after?: { readonly reason: string } }>('identity.unlink', {
    events: (act) => identityEvent('identity.unlinked', act, act.before),
  }),
};

interface RejectedCallback {
  readonly code: string;
  readonly mode?: string;
}

/** Linking an account is no login. */
const rejectedCallback = ({
  targetLabel,
  after: { code, mode },
}: StoredAct<{ after: RejectedCallback }>): ActEvent[] =>
  mode === 'bind'
    ? []
    : [loginEvents('login.failed', { method: 'oauth', code, provider: targetLabel ?? undefined }, null)];

export const thirdPartyLoginActs = {
  /** A rejected answer of a login provider. */
  callback: defineAct<{ after: RejectedCallback }>('oauth.callback', { rejected: rejectedCallback }),
  requireLink: defineAct('oauth.bind_required'),
};

export const loginProviderActs = {
  create: defineAct<{ after: object }>('oauth_provider.create'),
  update: defineAct<{ before: object; after: object }>('oauth_provider.update'),
  delete: defineAct<{ before: object; after: object }>('oauth_provider.delete'),
  test: defineAct<{ after: { readonly ok: boolean; readonly checks: readonly object[] } }>('oauth_provider.test'),
};
