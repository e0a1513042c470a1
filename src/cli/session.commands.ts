import { OPERATOR } from '../platform/context';
import { AccountSessionsService } from '../user-admin';
import { Command, Typed } from './command';
import { textOf, textOption, timeOption } from './option';
import { print } from './output';
import { findUser } from './targets';

const sinceOf = (typed: Pick<Typed, 'options'>): Date | null => {
  const since = textOf(typed, 'since');
  return since === undefined ? null : new Date(since);
};

const revokeAll: Command = {
  name: 'session revoke-all',
  summary: 'End the sessions of all users, or of one. Ended sessions stay ended if the command is interrupted',
  example: 'session revoke-all --since 2026-03-01T08:00:00Z --yes',
  printsData: true,
  needsKeys: false,
  options: {
    since: timeOption('Only sessions that began at this time or later'),
    user: textOption('USER', 'Only the sessions of this user'),
  },
  question(typed) {
    const since = textOf(typed, 'since');
    const began = since === undefined ? '' : ` that began at ${since} or later`;
    return `End all sessions of ${textOf(typed, 'user') ?? 'all users'}${began}?`;
  },
  async run(invocation) {
    const sessions = invocation.service.get(AccountSessionsService);
    const since = sinceOf(invocation);
    const name = textOf(invocation, 'user');
    if (name === undefined) {
      const { users, revoked } = await sessions.revokeAllOfAll(OPERATOR, since);
      print(invocation, { users, revoked }, [`Ended ${revoked} sessions of ${users} users.`]);
      return;
    }
    const { user } = await findUser(invocation.service, name);
    const revoked = await sessions.revokeAll(OPERATOR, user.id, since);
    print(invocation, { users: Number(revoked > 0), revoked }, [`Ended ${revoked} sessions of ${user.username}.`]);
  },
};

export const sessionCommands: readonly Command[] = [revokeAll];
