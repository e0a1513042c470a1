import { ActEvent, defineAct, defineFeedEvents, eventField, EventSubject, StoredAct } from '../../audit';
import { AttemptState, lockEvents } from '../../users';

const { id, text, texts } = eventField;

export const loginEvents = defineFeedEvents({
  'login.succeeded': {
    meaning: 'A user logged in.',
    subject: 'user',
    data: { session_id: id('The new session'), method: text('The login method'), factors: texts('RFC 8176 methods') },
    optional: ['session_id', 'method', 'factors'],
  },
  'login.failed': {
    meaning: 'A login was rejected. Without a subject if no account has the name.',
    subject: 'user',
    data: {
      method: text('The login method'),
      code: text('The error code'),
      provider: text('Name of the login provider'),
    },
    optional: ['method', 'code', 'provider'],
  },
});

interface LoginState extends AttemptState {
  /** RFC 8176 methods of a login with several factors. */
  readonly amr?: readonly string[];
}

type LoginAct = StoredAct<{ after?: LoginState }>;

const userOf = ({ targetType, targetId, targetLabel }: LoginAct): EventSubject | null =>
  targetType === 'user' && targetId !== null ? { type: 'user', id: targetId, name: targetLabel } : null;

function loggedIn(act: LoginAct): ActEvent[] {
  const { method, amr } = act.after;
  const data = { session_id: act.sessionId ?? undefined, method, factors: amr };
  return [loginEvents('login.succeeded', data, userOf(act))];
}

const rejected = (act: LoginAct): ActEvent[] => [
  loginEvents('login.failed', { method: act.after.method, code: act.after.code }, userOf(act)),
  ...lockEvents(act),
];

export const loginActs = {
  login: defineAct<{ after?: LoginState }>('login', { events: loggedIn, rejected }),
  requireSecondFactor: defineAct<{ after: { readonly method: string } }>('login.second_factor_due'),
  updateMethod: defineAct<{ before: { readonly enabled: boolean }; after: { readonly enabled: boolean } }>(
    'login_method.update',
  ),
};
