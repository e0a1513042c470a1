import { OPERATOR } from '../platform/context';
import { languages } from '../platform/i18n';
import { checkInput } from '../platform/http/input';
import { presentMembers } from '../platform/util';
import { UserRolesService } from '../rbac';
import {
  AccountClosureService,
  AccountCreationService,
  AccountUpdateService,
  adminUserDto,
  CreateUserDto,
  UserDirectoryService,
} from '../user-admin';
import { Command, Invocation, UsageError } from './command';
import { choiceOption, flag, isGiven, listOf, listOptions, textOf, textOption } from './option';
import { print, printFields } from './output';
import { passwordLines, passwordPart, readPassword } from './passwords';
import { findRole, findFirstUser, userArgument } from './targets';
import { printUsers } from './user-lines';

const list: Command = {
  name: 'user list',
  summary: 'List users, newest first: id, username, status, e-mail and phone',
  example: 'user list --status disabled --limit 50',
  printsData: true,
  options: {
    keyword: textOption('TEXT', 'Only users with it in the username, nickname or e-mail, or with this phone'),
    status: choiceOption(['active', 'disabled'], 'Only users with this status'),
    role: textOption('ROLE', 'Only users in this role', { field: 'role_id' }),
    'second-factor': choiceOption(['true', 'false'], 'Only users with, or without, an authenticator app or a passkey', {
      field: 'has_second_factor',
    }),
    ...listOptions,
  },
  async run(invocation) {
    const role = textOf(invocation, 'role');
    await printUsers(invocation, {
      keyword: textOf(invocation, 'keyword'),
      status: textOf(invocation, 'status'),
      has_second_factor: textOf(invocation, 'second-factor'),
      role_id: role === undefined ? undefined : (await findRole(invocation.service, role)).id,
    });
  },
};

const show: Command = {
  name: 'user show',
  summary: 'Show a user and the names of the roles of the user',
  example: 'user show ann',
  printsData: true,
  arguments: [userArgument],
  async run(invocation) {
    const { service } = invocation;
    const found = await findFirstUser(invocation);
    const roles = await service.get(UserRolesService).list(found.user.id);
    printFields(invocation, Object.assign(adminUserDto(found), { roles: roles.map(({ role }) => role.name) }));
  },
};

/** The input for the service, without the password. */
async function creationOf(invocation: Invocation): Promise<object> {
  const { service, words } = invocation;
  const roles = await Promise.all((listOf(invocation, 'role') ?? []).map((text) => findRole(service, text)));
  const isVerified = isGiven(invocation, 'verified') ? true : undefined;
  const email = textOf(invocation, 'email');
  const phone = textOf(invocation, 'phone');
  return {
    username: words[0],
    nickname: textOf(invocation, 'nickname'),
    email,
    email_verified: email === undefined ? undefined : isVerified,
    phone,
    phone_verified: phone === undefined ? undefined : isVerified,
    locale: textOf(invocation, 'locale'),
    must_change_password: isGiven(invocation, 'permanent') ? false : undefined,
    role_ids: roles.map(({ id }) => id),
  };
}

const create: Command = {
  name: 'user create',
  summary: 'Create a user. The password is read from the terminal or standard input, unless an option says otherwise',
  example: 'user create ann --email ann@example.com --role user --generate-password',
  printsData: true,
  arguments: [{ name: 'USERNAME', summary: '3 to 50 letters, digits or underscores', field: 'username' }],
  options: {
    email: textOption('ADDRESS', 'The e-mail address'),
    phone: textOption('NUMBER', 'The phone number'),
    verified: flag('Treat the e-mail address and the phone number as verified'),
    nickname: textOption('TEXT', 'Shown instead of the username'),
    locale: choiceOption(languages, 'The language of the account'),
    role: textOption('ROLE', 'A role of the user. May be repeated. Default: none', { isList: true, field: 'role_ids' }),
    'generate-password': flag('Generate a password and print it once'),
    'no-password': flag('Set no password: the user logs in with a verified contact or a third-party account'),
    permanent: flag('The user need not change the password at the first login'),
  },
  check(typed) {
    if (isGiven(typed, 'generate-password') && isGiven(typed, 'no-password')) {
      throw new UsageError('--generate-password and --no-password exclude each other.');
    }
  },
  async run(invocation) {
    const { service, words } = invocation;
    const input = await creationOf(invocation);
    const password = isGiven(invocation, 'no-password') ? undefined : await readPassword(invocation, words[0] ?? '');
    const body = checkInput(CreateUserDto, presentMembers({ ...input, password: password?.text }));
    const created = await service.get(AccountCreationService).create(OPERATOR, body);
    const user = adminUserDto(await service.get(UserDirectoryService).see(created));
    print(invocation, Object.assign(user, passwordPart(password)), [
      `Created ${user.username} (${user.id}).`,
      ...passwordLines(password),
    ]);
  },
};

async function setStatus(invocation: Invocation, status: 'active' | 'disabled', done: string): Promise<void> {
  const { service } = invocation;
  const { user } = await findFirstUser(invocation);
  const changed = await service.get(AccountUpdateService).change(OPERATOR, user.id, { status });
  const dto = adminUserDto(await service.get(UserDirectoryService).see(changed));
  print(invocation, dto, [`${user.username} is ${done}.`]);
}

const disable: Command = {
  name: 'user disable',
  summary: 'Disable a user and end the sessions. Not for the last administrator',
  example: 'user disable ann --yes',
  printsData: true,
  arguments: [userArgument],
  question: ({ words }) => `Disable ${words[0]} and end all sessions of the user?`,
  run: (invocation) => setStatus(invocation, 'disabled', 'disabled'),
};

const enable: Command = {
  name: 'user enable',
  summary: 'Enable a disabled user',
  example: 'user enable ann',
  printsData: true,
  arguments: [userArgument],
  run: (invocation) => setStatus(invocation, 'active', 'enabled'),
};

const remove: Command = {
  name: 'user delete',
  summary: 'Delete a user with all data of the user. Not for the last administrator',
  example: 'user delete ann --yes',
  printsData: true,
  arguments: [userArgument],
  question: ({ words }) => `Delete ${words[0]} with all data of the user? This cannot be undone.`,
  async run(invocation) {
    const { service } = invocation;
    const { user } = await findFirstUser(invocation);
    await service.get(AccountClosureService).delete(OPERATOR, user.id);
    print(invocation, { id: user.id, username: user.username, deleted: true }, [`Deleted ${user.username}.`]);
  },
};

export const userCommands: readonly Command[] = [list, show, create, disable, enable, remove];
