import { Anchor, Checkbox, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { TFunction } from 'i18next';
import { inLanguage, optionsOf, textOf, type AttributeField } from '../../shared/attributes';
import { Mark } from '../../session/mark';
import type { Column } from '../components/table';
import { timeOf } from '../../shared/time';
import type { AdminUser } from './admin-user';
import type { UserSelection } from './use-user-selection';

/** The orders that the service has an index for. */
export const sorts = ['username', '-username', 'created_at', '-created_at'] as const;
type Sort = (typeof sorts)[number];
type SortColumn = 'username' | 'created_at';
const NEWEST_FIRST: Sort = '-created_at';

export interface UserOrder {
  /** '' is the order of the service: the newest first. */
  readonly sort: Sort | '';
  readonly onSort: (sort: Sort | '') => void;
  /** Search results have their own order. */
  readonly isFixed: boolean;
}

const MAX_ROLES = 3;

function Contact({ user }: { readonly user: AdminUser }): ReactNode {
  const { t } = useTranslation();
  const contacts = [
    { contact: user.email, isVerified: user.email_verified },
    { contact: user.phone, isVerified: user.phone_verified },
  ];
  return contacts.map(
    ({ contact, isVerified }) =>
      contact !== null && (
        <div key={contact}>
          {contact}{' '}
          {!isVerified && (
            <Text span size="xs" c="dimmed" className="unbroken">
              {t('users.unverified')}
            </Text>
          )}
        </div>
      ),
  );
}

function Roles({ user: { roles = [], role_count = 0 } }: { readonly user: AdminUser }): ReactNode {
  const { t } = useTranslation();
  const shown = roles.slice(0, MAX_ROLES).map(({ name }) => name);
  const more = role_count - shown.length;
  return [...shown, ...(more > 0 ? [t('users.more_roles', { count: more })] : [])].join(', ');
}

function valueText(attribute: AttributeField, { attributes }: AdminUser, t: TFunction): string {
  const text = textOf(attributes[attribute.name]);
  if (attribute.type === 'boolean') {
    return text && t(text === 'true' ? 'users.attribute_true' : 'users.attribute_false');
  }
  return optionsOf(attribute).find(({ value }) => value === text)?.label ?? text.replaceAll('\n', ', ');
}

const arrowOf = (isAscending: boolean, isDescending: boolean): string => {
  if (isAscending) return '↑';
  return isDescending ? '↓' : '↕';
};

interface SortHeadProps {
  readonly name: string;
  readonly column: SortColumn;
  readonly order: UserOrder;
}

/** The head of a column that sorts by it. A phone shows a select instead, and the heads only to screen readers. */
function SortHead({ name, column, order }: SortHeadProps): ReactNode {
  const { sort, onSort, isFixed } = order;
  if (isFixed) return name;
  const isAscending = sort === column;
  const isDescending = (sort || NEWEST_FIRST) === `-${column}`;
  return (
    <>
      <span className="phone-only">{name}</span>
      <UnstyledButton
        className="not-on-phone unbroken"
        fw={700}
        fz="inherit"
        onClick={() => {
          onSort(isAscending ? `-${column}` : column);
        }}
      >
        {name} <span aria-hidden="true">{arrowOf(isAscending, isDescending)}</span>
      </UnstyledButton>
    </>
  );
}

function sortedBy(column: SortColumn, { sort, isFixed }: UserOrder): Column<AdminUser>['sorted'] {
  if (isFixed) return undefined;
  if (sort === column) return 'ascending';
  return (sort || NEWEST_FIRST) === `-${column}` ? 'descending' : 'none';
}

/**
 * The columns of the list of users.
 *
 * @param attribute that the list is searched by, which has a column then.
 */
export function useUserColumns(
  order: UserOrder,
  { chosen, toggle }: UserSelection,
  attribute: AttributeField | undefined,
): readonly Column<AdminUser>[] {
  const { t } = useTranslation();
  const sortable = (name: string, column: SortColumn): Pick<Column<AdminUser>, 'name' | 'head' | 'sorted'> => ({
    name,
    head: <SortHead name={name} column={column} order={order} />,
    sorted: sortedBy(column, order),
  });
  return [
    {
      name: t('users.selected'),
      unbroken: true,
      head: <span className="unseen">{t('users.selected')}</span>,
      show: (user) => (
        <Checkbox
          aria-label={t('users.select', { user: user.username })}
          checked={chosen.has(user.id)}
          onChange={() => {
            toggle([user]);
          }}
        />
      ),
    },
    {
      ...sortable(t('users.username'), 'username'),
      show: (user) => (
        <div className="name-of-row">
          <Anchor component={Link} to={`/admin/users/${user.id}`} underline="always">
            {user.username}
          </Anchor>
          <Text size="sm" c="dimmed">
            {user.nickname}
          </Text>
        </div>
      ),
    },
    { name: t('users.contact'), show: (user) => <Contact user={user} /> },
    ...(attribute
      ? [{ name: inLanguage(attribute.label), show: (user: AdminUser) => valueText(attribute, user, t) }]
      : []),
    { name: t('nav.roles'), show: (user) => <Roles user={user} /> },
    { name: t('users.second_factor'), show: (user) => (user.has_second_factor ? t('users.factor_true') : '') },
    {
      name: t('users.status'),
      show: (user) => {
        const state = user.status === 'active' && user.locked_until !== null ? 'locked' : user.status;
        return <Mark tone={state === 'active' ? 'good' : 'bad'}>{t(`users.status_${state}`)}</Mark>;
      },
    },
    { name: t('users.last_login'), show: (user) => (user.last_login_at ? timeOf(user.last_login_at) : '') },
    { ...sortable(t('users.created_at'), 'created_at'), show: (user) => timeOf(user.created_at) },
  ];
}
