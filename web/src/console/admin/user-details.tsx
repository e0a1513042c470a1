import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames } from '../../shared/language';
import { api } from '../api';
import { Section } from '../parts/section';
import { useAct } from '../parts/use-act';
import type { AdminUser } from './users-page';

const texts = ['username', 'nickname', 'email', 'phone'] as const;
const switches = ['email_verified', 'phone_verified', 'must_change_password'] as const;

interface UserDetailsProps {
  readonly user: AdminUser;
  readonly onSaved: (user: AdminUser) => void;
}

/** What is typed over; a text that was emptied is taken away. */
function startOf(user: AdminUser): Record<(typeof texts)[number] | 'locale', string> {
  const { username, nickname, email, phone, locale } = user;
  return { username, nickname, email: email ?? '', phone: phone ?? '', locale: locale ?? '' };
}

function switchesOf({
  email_verified,
  phone_verified,
  must_change_password,
}: AdminUser): Record<(typeof switches)[number], boolean> {
  return { email_verified, phone_verified, must_change_password };
}

export function UserDetails({ user, onSaved }: UserDetailsProps): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const [values, setValues] = useState(() => startOf(user));
  const [on, setOn] = useState(() => switchesOf(user));
  const save = async (): Promise<void> => {
    const before = { ...startOf(user), ...switchesOf(user) };
    const changed = Object.entries({ ...values, ...on }).filter(
      ([name, value]) => value !== before[name as keyof typeof before],
    );
    const body = Object.fromEntries(
      changed.map(([name, value]) => [name, value === '' && name !== 'username' ? null : value]),
    );
    const params = { path: { id: user.id } };
    const answer = await act.run(() => api.PATCH('/api/user/{id}', { params, body: body as never }), t('act.saved'));
    if (answer?.data) onSaved(answer.data);
  };
  return (
    <Section title={t('users.details')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          {texts.map((name) => (
            <TextInput
              key={name}
              label={t(name === 'username' ? 'users.username' : `field.${name}`)}
              value={values[name]}
              error={act.fields[name]}
              autoComplete="off"
              onChange={(event) => {
                setValues({ ...values, [name]: event.currentTarget.value });
              }}
            />
          ))}
          <NativeSelect
            label={t('page.language')}
            value={values.locale}
            data={[
              { value: '', label: t('users.language_unset') },
              ...Object.entries(languageNames).map(([value, label]) => ({ value, label })),
            ]}
            onChange={(event) => {
              setValues({ ...values, locale: event.currentTarget.value });
            }}
          />
          {switches.map((name) => (
            <Checkbox
              key={name}
              label={t(`users.${name}`)}
              checked={on[name]}
              error={act.fields[name]}
              onChange={(event) => {
                setOn({ ...on, [name]: event.currentTarget.checked });
              }}
            />
          ))}
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('act.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
