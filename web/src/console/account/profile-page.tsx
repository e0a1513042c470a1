import { Avatar, Button, Card, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useInfo } from '../info-context';
import { useMe, type Me } from '../me';
import { CodeInput } from '../parts/code-input';
import { Form } from '../parts/form';
import { OwnOrganizations } from '../organizations/own-organizations';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { timeOf } from '../parts/time';
import { useAct } from '../parts/use-act';
import { rememberMe } from '../query-client';
import { AvatarChoice } from './avatar-choice';
import { PictureUpload } from './picture-upload';

const nameOf = ({ nickname, username }: Me): string => (nickname === '' ? username : nickname);

function NameCard(): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useAct();
  const [nickname, setNickname] = useState(me.nickname);
  const [chosen, setChosen] = useState<string>();
  const save = async (): Promise<void> => {
    const body = { nickname, ...(chosen !== undefined && { avatar: chosen }) };
    const answer = await act.run(() => api.PATCH('/api/auth/me', { body }), t('act.saved'));
    if (!answer?.data) return;
    rememberMe(answer.data);
    setChosen(undefined);
  };
  return (
    <Card withBorder component="section">
      <Group wrap="nowrap" mb="md">
        <Avatar src={me.avatar} size="lg" alt="" />
        <div className="wrap">
          <Text fw={600}>{nameOf(me)}</Text>
          <Text c="dimmed">{me.username}</Text>
        </div>
        <PictureUpload
          onDone={() => {
            setChosen(undefined);
          }}
        />
      </Group>
      <Form act={act} onSubmit={save}>
        <Stack>
          <TextInput
            label={t('field.nickname')}
            value={nickname}
            error={act.fields['nickname']}
            maxLength={50}
            onChange={(event) => {
              setNickname(event.currentTarget.value);
            }}
          />
          <AvatarChoice
            current={me.avatar}
            value={chosen ?? me.avatar}
            error={act.fields['avatar']}
            onChange={setChosen}
          />
          <Group>
            <Button type="submit" loading={act.busy}>
              {t('act.save')}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Card>
  );
}

const contacts = {
  email: { channel: 'email', verified: 'email_verified', type: 'email', code: 'email_code' },
  phone: { channel: 'sms', verified: 'phone_verified', type: 'tel', code: 'phone_code' },
} as const;
type Contact = keyof typeof contacts;

function ContactForm({ contact, onDone }: { readonly contact: Contact; readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useAct();
  const { verification } = useInfo();
  const { channel, type, code: codeField } = contacts[contact];
  const [value, setValue] = useState(me[contact] ?? '');
  const [code, setCode] = useState('');
  const provable = verification.enabled && verification.channels.includes(channel);
  const save = async (): Promise<void> => {
    const body = { [contact]: value === '' ? null : value, ...(value !== '' && code !== '' && { [codeField]: code }) };
    const answer = await act.run(() => api.PATCH('/api/auth/me', { body }), t('act.saved'));
    if (!answer?.data) return;
    rememberMe(answer.data);
    onDone();
  };
  return (
    <Form act={act} onSubmit={save}>
      <Stack>
        <TextInput
          data-autofocus
          label={t(`field.${contact}`)}
          description={t('contact.empty_removes')}
          value={value}
          type={type}
          error={act.fields[contact]}
          onChange={(event) => {
            setValue(event.currentTarget.value);
          }}
        />
        {provable && value !== '' && (
          <CodeInput
            purpose="bind"
            channel={channel}
            target={value}
            value={code}
            error={act.fields[codeField] ?? act.fields['code']}
            onChange={setCode}
          />
        )}
        <Button type="submit" loading={act.busy}>
          {t('act.save')}
        </Button>
      </Stack>
    </Form>
  );
}

function ContactRow({ contact }: { readonly contact: Contact }): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const [open, setOpen] = useState(false);
  const value = me[contact];
  const verified = me[contacts[contact].verified];
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <div className="wrap">
          <Text size="sm" c="dimmed">
            {t(`field.${contact}`)}
          </Text>
          <Group gap="xs">
            <Text>{value ?? t('contact.none')}</Text>
            {value !== null && (
              <Mark tone={verified ? 'good' : 'plain'}>{t(verified ? 'contact.verified' : 'contact.unverified')}</Mark>
            )}
          </Group>
        </div>
        <Button
          variant="default"
          aria-expanded={open}
          onClick={() => {
            setOpen(!open);
          }}
        >
          {t(open ? 'act.cancel' : 'act.change')}
        </Button>
      </Group>
      {open && (
        <ContactForm
          contact={contact}
          onDone={() => {
            setOpen(false);
          }}
        />
      )}
    </Stack>
  );
}

function AcceptedTerms(): ReactNode {
  const { t } = useTranslation();
  const { terms_version: version, terms_accepted_at: acceptedAt } = useMe();
  if (version === null || acceptedAt === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('profile.accepted_terms', { version, time: timeOf(acceptedAt) })}
    </Text>
  );
}

export function ProfilePage(): ReactNode {
  const { t } = useTranslation();
  return (
    <Page wide title={t('nav.profile')} lead={t('profile.lead')}>
      <div className="columns">
        <NameCard />
        <Card withBorder component="section">
          <Stack>
            <Title order={2} size="h4">
              {t('contact.title')}
            </Title>
            <ContactRow contact="email" />
            <ContactRow contact="phone" />
          </Stack>
        </Card>
      </div>
      <OwnOrganizations />
      <AcceptedTerms />
    </Page>
  );
}
