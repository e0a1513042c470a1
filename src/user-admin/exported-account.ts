import { UserView } from '../users';
import { Attribute, ATTRIBUTE_COLUMN, AttributeValue, valueOf } from '../users/attributes';
import { UserDetails } from './user-details.service';

export interface ExportedAccount {
  readonly user: UserView;
  readonly details: UserDetails;
}

/** By position. */
type Attributes = readonly Attribute[];

/** The columns of the CSV file, in order. */
const columns: readonly (readonly [name: string, cell: (account: ExportedAccount) => string])[] = [
  ['id', ({ user }) => user.id],
  ['username', ({ user }) => user.username],
  ['former_username', ({ user }) => user.formerUsername ?? ''],
  ['nickname', ({ user }) => user.nickname],
  ['email', ({ user }) => user.email ?? ''],
  ['email_verified', ({ user }) => String(user.emailVerified)],
  ['phone', ({ user }) => user.phone ?? ''],
  ['phone_verified', ({ user }) => String(user.phoneVerified)],
  ['locale', ({ user }) => user.locale ?? ''],
  ['status', ({ user }) => user.status],
  ['roles', ({ details }) => details.roles.map(({ scope, name }) => `${scope}:${name}`).join(' ')],
  ['has_second_factor', ({ details }) => String(details.hasSecondFactor)],
  ['created_at', ({ user }) => user.createdAt.toISOString()],
  ['last_login_at', ({ user }) => user.lastLoginAt?.toISOString() ?? ''],
  ['terms_version', ({ user }) => user.termsVersion ?? ''],
  ['terms_accepted_at', ({ user }) => user.termsAcceptedAt?.toISOString() ?? ''],
];

/** The values of attributes come last. */
export const exportColumns = (attributes: Attributes): string[] => [
  ...columns.map(([name]) => name),
  ...attributes.map(({ name }) => ATTRIBUTE_COLUMN + name),
];

export const exportedCells = (account: ExportedAccount, attributes: Attributes): string[] => [
  ...columns.map(([, cell]) => cell(account)),
  ...attributes.map(({ name }) => cellOf(valueOf(account.user.attributes, name))),
];

/** A list has one item a line. */
const cellOf = (value: AttributeValue | undefined): string =>
  Array.isArray(value) ? value.join('\n') : String(value ?? '');
