import { Button, Checkbox, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { languageNames, languages } from '../../shared/language';
import { api } from '../api';
import { changesOf, orNull } from '../hooks/changes';
import { Form } from '../../session/form';
import { oneOf } from '../hooks/use-filters';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import type { AdminUser } from './admin-user';

const texts = ['username', 'nickname', 'email', 'phone'] as const;
const switches = ['email_verified', 'phone_verified', 'must_change_password'] as const;

interface UserDetailsProps {
  readonly user: AdminUser;
  readonly onSaved: (user: AdminUser) => void;
}

type Values = Required<
  Omit<components['schemas']['ChangeUserDto'], 'status' | 'avatar' | 'former_username' | 'attributes'>
>;
type Typed = {
  readonly [Name in keyof Values]: Exclude<Values[Name], null> | (null extends Values[Name] ? '' : never);
};

function startOf(user: AdminUser): Typed {
  const { username, nickname, email_verified, phone_verified, must_change_password } = user;
  return {
    username,
    nickname,
    email: user.email ?? '',
    phone: user.phone ?? '',
    locale: user.locale ?? '',
    email_verified,
    phone_verified,
    must_change_password,
  };
}

/** Request body. A cleared text is null. */
const bodyOf = (values: Typed): Values => ({
  ...values,
  nickname: orNull(values.nickname),
  email: orNull(values.email),
  phone: orNull(values.phone),
  locale: orNull(values.locale),
});

export function UserDetails({ user, onSaved }: UserDetailsProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const stored = startOf(user);
  const { values, change, saved } = useEdits(stored);
  const save = async (): Promise<void> => {
    const body = changesOf(bodyOf(stored), bodyOf(values));
    const params = { path: { id: user.id } };
    const answer = await act.run(() => api.PATCH('/api/user/{id}', { params, body }), t('act.saved'));
    if (!answer?.data) return;
    onSaved(answer.data);
    saved(values);
  };
  return (
    <Section title={t('users.details')}>
      <Form act={act} onSubmit={save}>
        <Stack>
          {texts.map((name) => (
            <TextInput
              key={name}
              label={t(name === 'username' ? 'users.username' : `field.${name}`)}
              value={values[name]}
              error={act.fields[name]}
              autoComplete="off"
              onChange={(event) => {
                change({ [name]: event.currentTarget.value });
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
              change({ locale: oneOf(languages, event.currentTarget.value) });
            }}
          />
          {switches.map((name) => (
            <Checkbox
              key={name}
              label={t(`users.${name}`)}
              checked={values[name]}
              error={act.fields[name]}
              onChange={(event) => {
                change({ [name]: event.currentTarget.checked });
              }}
            />
          ))}
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('act.save')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
