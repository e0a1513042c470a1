import { acting, ActingActor } from './acting';
import { currentRequest } from './request-context';
import type { Caller } from './request-context';

/** Has no account and may do everything. The name contains a space, which no username may. */
const systemActor = (userId: string, username: string): Caller =>
  Object.freeze({
    userId,
    username,
    sessionId: '',
    locale: null,
    mustChangePassword: false,
    recentLogin: true,
    recentSecondFactor: true,
    amr: [],
  });

/** The operator at the command line. The id is the nil UUID (RFC 9562 §5.9), which no user has. */
export const OPERATOR = systemActor('00000000-0000-0000-0000-000000000000', 'command line');

/** The code of the application that embeds the service. The id is the max UUID (RFC 9562 §5.10), which no user has. */
export const APPLICATION = systemActor('ffffffff-ffff-ffff-ffff-ffffffffffff', 'host application');

/** By identity, so that no id from outside makes a caller a system actor. */
export const isSystemActor = (actor: Pick<Caller, 'userId'>): boolean => actor === OPERATOR || actor === APPLICATION;

/** The operator acting for a user: with the user's permissions only, and recorded as the operator. */
export const operatorFor = ({ userId, username }: Pick<Caller, 'userId' | 'username'>): Caller => ({
  ...OPERATOR,
  userId,
  username,
});

/** Runs work whose audit events name the system actor, also inside a request of a user. */
export const runAs = <T>(actor: Caller, work: () => T): T => acting.run(actor, work);

/** The system actor whose work this is; undefined for the work of a user, a client or a job. */
export const actingSystemActor = (): ActingActor | undefined => acting.getStore();

/** The user whose request this is; null for the work of a system actor, a client or a job. */
export const actingUserId = (): string | null =>
  actingSystemActor() ? null : (currentRequest()?.caller?.userId ?? null);
