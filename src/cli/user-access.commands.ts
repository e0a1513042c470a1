import { OPERATOR } from '../platform/context';
import { checkInput } from '../platform/http/input';
import { sessionDto } from '../session';
import { AccountAccessService, AccountPasswordService, AccountSessionsService, SetPasswordDto } from '../user-admin';
import { Command } from './command';
import { numberedPage, pageOfAll } from './numbered-pages';
import { flag, isGiven, listOptions } from './option';
import { print, printList } from './output';
import { passwordLines, passwordPart, readPassword } from './passwords';
import { findFirstUser, userArgument } from './targets';

const resetPassword: Command = {
  name: 'user reset-password',
  summary: 'Set the password of a user and end the sessions. It is read from the terminal or standard input',
  example: 'user reset-password ann --generate-password --yes',
  printsData: true,
  arguments: [userArgument],
  options: {
    'generate-password': flag('Generate the password and print it once'),
    permanent: flag('The user need not change the password at the next login'),
  },
  question: ({ words }) => `Replace the password of ${words[0]} and end all sessions of the user?`,
  async run(invocation) {
    const { service } = invocation;
    const { user } = await findFirstUser(invocation);
    const password = await readPassword(invocation, user.username);
    const body = checkInput(SetPasswordDto, {
      new_password: password.text,
      must_change_password: !isGiven(invocation, 'permanent'),
    });
    await service.get(AccountPasswordService).set(OPERATOR, user.id, body);
    print(invocation, { id: user.id, username: user.username, ...passwordPart(password) }, [
      `The password of ${user.username} is replaced.`,
      ...passwordLines(password),
    ]);
  },
};

const resetMfa: Command = {
  name: 'user reset-mfa',
  summary: 'Remove all second factors, passkeys and trusted devices of a user, and end the sessions',
  example: 'user reset-mfa ann --yes',
  printsData: true,
  arguments: [userArgument],
  question: ({ words }) => `Remove all second factors of ${words[0]} and end all sessions of the user?`,
  async run(invocation) {
    const { service } = invocation;
    const { user } = await findFirstUser(invocation);
    await service.get(AccountAccessService).resetFactors(OPERATOR, user.id);
    print(invocation, { id: user.id, username: user.username }, [`${user.username} has no second factors.`]);
  },
};

const sessions: Command = {
  name: 'user sessions',
  summary: 'List the sessions of a user, newest activity first: id, login method, address, device, last seen, expiry',
  example: 'user sessions ann --json',
  printsData: true,
  arguments: [userArgument],
  options: listOptions,
  check: numberedPage,
  async run(invocation) {
    const { user } = await findFirstUser(invocation);
    const live = await invocation.service.get(AccountSessionsService).list(user.id);
    const { items, ...rest } = pageOfAll(numberedPage(invocation), live);
    const shown = items.map((session) => sessionDto(session, OPERATOR.sessionId));
    printList(
      invocation,
      { items: shown, ...rest },
      {
        id: ({ id }) => id,
        method: ({ login_method: method }) => method,
        address: ({ ip }) => ip,
        device: ({ device }) => device.name,
        'last seen': ({ last_seen_at: at }) => at,
        expires: ({ expires_at: at }) => at,
      },
    );
  },
};

export const userAccessCommands: readonly Command[] = [resetPassword, resetMfa, sessions];
