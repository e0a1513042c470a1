import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './request-context';

/**
 * The operator at the command line, who has no account and may do everything. The id is the nil UUID (RFC 9562 §5.9),
 * which no user has. The name contains a space, which no username may.
 */
export const OPERATOR: Caller = Object.freeze({
  userId: '00000000-0000-0000-0000-000000000000',
  username: 'command line',
  sessionId: '',
  locale: null,
  mustChangePassword: false,
  recentLogin: true,
  recentSecondFactor: true,
  amr: [],
});

/** By identity, so that no id from outside makes a caller the operator. */
export const isOperator = (actor: Pick<Caller, 'userId'>): boolean => actor === OPERATOR;

/** The operator acting for a user: with the user's permissions only, and recorded as the operator. */
export const operatorFor = ({ userId, username }: Pick<Caller, 'userId' | 'username'>): Caller => ({
  ...OPERATOR,
  userId,
  username,
});

const commandLine = new AsyncLocalStorage<true>();

/** Runs the work of a command, whose audit events name the operator. */
export function runAsOperator<T>(work: () => T): T {
  return commandLine.run(true, work);
}

/** Whether the work belongs to a command of the command line. */
export const isOperatorActing = (): boolean => commandLine.getStore() === true;
