import type { INestApplicationContext } from '@nestjs/common';
import { ClientRepository, OAuthClient } from '../oauth';
import { ProblemError } from '../platform/errors';
import { isId } from '../platform/util';
import { OrganizationNamesService } from '../organizations';
import { Role, RoleViewsService } from '../rbac';
import { UserDirectoryService } from '../user-admin';
import { UserLookupService } from '../users';
import { Argument, CommandError, Invocation } from './command';

type FoundUser = Awaited<ReturnType<UserDirectoryService['find']>>;

export const userArgument: Argument = {
  name: 'USER',
  summary: 'A username, a verified e-mail address or phone number, or an id',
};

export const roleArgument: Argument = {
  name: 'ROLE',
  summary: 'A name, with SCOPE: in front for a role of another scope, or an id',
};

export const clientArgument: Argument = { name: 'CLIENT', summary: 'A client_id, or the id of the client' };

/** Replaces `not_found`, which does not say of what. */
const named =
  (kind: string, text: string) =>
  (error: unknown): never => {
    if (error instanceof ProblemError && error.code === 'not_found') throw missing(kind, text);
    throw error;
  };

const missing = (kind: string, text: string): CommandError => new CommandError(`There is no ${kind} "${text}".`);

/** The user that an argument names. Errors: `CommandError`. */
export async function findUser(service: INestApplicationContext, text: string): Promise<FoundUser> {
  const directory = service.get(UserDirectoryService);
  if (isId(text)) return directory.find(text).catch(named('user', text));
  const user = await service.get(UserLookupService).findCurrent(text);
  if (!user) throw missing('user', text);
  return directory.see(user);
}

/** The user that the first argument of the command names. Errors: `CommandError`. */
export const findFirstUser = ({ service, words }: Invocation): Promise<FoundUser> => findUser(service, words[0] ?? '');

/** The role that an argument names, by default in the service's scope. Errors: `CommandError`. */
export function findRole(service: INestApplicationContext, text: string): Promise<Role> {
  return service.get(RoleViewsService).resolve(text).catch(named('role', text));
}

/** The client that an argument names. Errors: `CommandError`. */
export async function findClient(service: INestApplicationContext, text: string): Promise<OAuthClient> {
  const clients = service.get(ClientRepository);
  const client = await (isId(text) ? clients.findById(text) : clients.findByClientId(text));
  if (!client) throw missing('client', text);
  return client;
}

/** The id of the organization that an option names by slug or id. Errors: `CommandError`. */
export async function findOrganizationId(service: INestApplicationContext, text: string): Promise<string> {
  const names = service.get(OrganizationNamesService);
  const id = await names.idOf(text);
  if (id === undefined || (await names.slugOf(id)) === undefined) throw missing('organization', text);
  return id;
}
