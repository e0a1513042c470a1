import { Button, Card, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { levelNames } from 'castellan-client';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { api } from '../api';
import { useInfo } from '../info-context';
import { useMe } from '../me';
import { Form } from '../../session/form';
import { Mark } from '../../session/mark';
import { useSubmit } from '../hooks/use-submit';
import { findByName } from '../hooks/find-users';
import type { CatalogueEntry } from './catalogue';

type Result = components['schemas']['PermissionCheckResultDto'];
type Grant = components['schemas']['GrantDto'];

function GrantText({ grant }: { readonly grant: Grant }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <code>{`${grant.scope}:${grant.permission_id}`}</code>{' '}
      {t('permissions.at_level', { level: t(`roles.level_${levelNames[grant.level - 1] ?? 'admin'}`) })}
    </>
  );
}

function Answer({ who, result }: { readonly who: string; readonly result: Result }): ReactNode {
  const { t } = useTranslation();
  const { because, closest } = result;
  const permission = `${result.scope}:${result.permission_id}`;
  const reasonOf = ({ role, group }: NonNullable<Result['because']>): string => {
    if (role === undefined) return t('permissions.because_direct');
    if (!group) return t('permissions.because_role', { role });
    return t('permissions.because_group', { role, group: group.name, path: group.path.join(' / ') });
  };
  return (
    <Stack gap={4} className="wrap">
      <Group gap="xs">
        <Mark tone={result.allowed ? 'good' : 'bad'}>{t(result.allowed ? 'permissions.yes' : 'permissions.no')}</Mark>
        <Text>{t(result.allowed ? 'permissions.allowed' : 'permissions.denied', { who, permission })}</Text>
      </Group>
      {because && (
        <Text>
          {reasonOf(because)} <GrantText grant={because.grant} />
        </Text>
      )}
      {result.reason && <Text>{t(`permissions.${result.reason}`)}</Text>}
      {closest && (
        <Text>
          {t('permissions.closest')} <GrantText grant={closest} />
        </Text>
      )}
    </Stack>
  );
}

interface Question {
  readonly username: string;
  readonly scope: string;
  readonly permission_id: string;
  /** Empty means the level that the action requires. */
  readonly level: string;
}

interface QuestionFieldsProps {
  readonly catalogue: readonly CatalogueEntry[];
  readonly question: Question;
  /** Error text if no user has the name. */
  readonly unknown: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly onChange: (changed: Partial<Question>) => void;
}

function QuestionFields({ catalogue, question, unknown, fields, onChange }: QuestionFieldsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label={t('users.username')}
        value={question.username}
        error={unknown !== undefined && t('permissions.unknown_user', { name: unknown })}
        autoCapitalize="none"
        autoComplete="off"
        onChange={(event) => {
          onChange({ username: event.currentTarget.value.trim() });
        }}
      />
      <TextInput
        label={t('roles.permission')}
        value={question.permission_id}
        error={fields['checks[0].permission_id']}
        list="checkable-permissions"
        autoComplete="off"
        onChange={(event) => {
          onChange({ permission_id: event.currentTarget.value.trim() });
        }}
      />
      <datalist id="checkable-permissions">
        {catalogue
          .filter((entry) => entry.scope === question.scope)
          .map((entry) => (
            <option key={entry.permission_id} value={entry.permission_id}>
              {entry.description}
            </option>
          ))}
      </datalist>
      <TextInput
        label={t('roles.scope')}
        value={question.scope}
        error={fields['checks[0].scope']}
        autoComplete="off"
        onChange={(event) => {
          onChange({ scope: event.currentTarget.value.trim() });
        }}
      />
      <NativeSelect
        label={t('roles.level')}
        value={question.level}
        data={[
          { value: '', label: t('permissions.usual_level') },
          ...levelNames.map((name, index) => ({ value: String(index + 1), label: t(`roles.level_${name}`) })),
        ]}
        onChange={(event) => {
          onChange({ level: event.currentTarget.value });
        }}
      />
    </SimpleGrid>
  );
}

/** Checks whether a user may do something. Shows the grant that allows it, or the grant that comes closest. */
export function PermissionCheck({ catalogue }: { readonly catalogue: readonly CatalogueEntry[] }): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const { scope } = useInfo();
  const act = useSubmit();
  const [question, setQuestion] = useState<Question>({ username: me.username, scope, permission_id: '', level: '' });
  const [unknown, setUnknown] = useState<string>();
  const [answer, setAnswer] = useState<{ who: string; result: Result }>();

  const change = (changed: Partial<Question>): void => {
    setQuestion({ ...question, ...changed });
    setAnswer(undefined);
  };
  const check = async (): Promise<void> => {
    const { username, permission_id, level } = question;
    setUnknown(undefined);
    const user = await act.find(async () => (username === me.username ? me.id : findByName(username)));
    if (!user) return;
    const id = user.data;
    if (id === undefined) {
      setUnknown(username);
      return;
    }
    const asked = { scope: question.scope, permission_id, ...(level !== '' && { level: Number(level) }) };
    const body = { user_id: id, checks: [asked] };
    const found = await act.run(() => api.POST('/api/permission/check', { body }));
    const result = found?.data?.results[0];
    if (result) setAnswer({ who: username, result });
  };
  return (
    <Card withBorder component="section">
      <Form act={act} onSubmit={check}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {t('permissions.why')}
          </Title>
          <Text c="dimmed">{t('permissions.why_lead')}</Text>
          <QuestionFields {...{ catalogue, question, unknown }} fields={act.fields} onChange={change} />
          <Group>
            <Button
              type="submit"
              loading={act.busy}
              disabled={question.username === '' || question.permission_id === '' || question.scope === ''}
            >
              {t('permissions.check')}
            </Button>
          </Group>
          <div role="status">{answer && <Answer {...answer} />}</div>
        </Stack>
      </Form>
    </Card>
  );
}
