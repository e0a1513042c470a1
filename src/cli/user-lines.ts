import { checkInput } from '../platform/http/input';
import { presentMembers } from '../platform/util';
import { AdminUserDto, adminUserDto, ListUsersDto, UserDirectoryService } from '../user-admin';
import { Invocation } from './command';
import { textOf } from './option';
import { ColumnsOf, printList } from './output';

const userColumns: ColumnsOf<AdminUserDto> = {
  id: ({ id }) => id,
  username: ({ username }) => username,
  status: ({ status }) => status,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
};

/** Prints the users of the filter: id, username, status, e-mail and phone, newest first. */
export async function printUsers(invocation: Invocation, filter: object): Promise<void> {
  const query = checkInput(
    ListUsersDto,
    presentMembers({ ...filter, page_size: textOf(invocation, 'limit'), cursor: textOf(invocation, 'cursor') ?? '' }),
  );
  const page = await invocation.service.get(UserDirectoryService).list(query, adminUserDto);
  const next = 'next_cursor' in page ? page.next_cursor : null;
  printList(invocation, { items: page.items, next_cursor: next }, userColumns);
}
