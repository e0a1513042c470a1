import { Anchor, Button, Group as Row, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { components } from '../../api/schema';
import { $api, api } from '../api';
import { useInfo } from '../info-context';
import { ask } from '../components/ask';
import { Form } from '../../session/form';
import { PAGE, PagedTable } from '../components/paged-table';
import { Section } from '../components/section';
import { timeOf } from '../../shared/time';
import { useSubmit } from '../hooks/use-submit';
import { invalidateLists } from '../query-client';
import { useUnsaved } from '../../session/unsaved';
import type { Organization } from './organization-lists';
import { OrganizationRolePicker } from './organization-role-picker';

type Invitation = components['schemas']['InvitationDto'];

const contactOf = ({ email, phone }: Invitation): string => email ?? phone ?? '';
const reload = (): Promise<void> => invalidateLists(['get', '/api/organization/{id}/invitations']);

const channelOf = (contact: string): 'email' | 'sms' => (contact.includes('@') ? 'email' : 'sms');

/** What to say of an invitation: in development, messages of a channel without a provider only reach the inbox. */
function useSentText(): (channel: 'email' | 'sms') => string {
  const { t } = useTranslation();
  const { inbox } = useInfo().verification;
  return (channel) => t(inbox.includes(channel) ? 'invitations.in_inbox' : 'invitations.sent');
}

/** Leads to the messages that were not sent. */
function InboxLink(): ReactNode {
  const { t } = useTranslation();
  if (useInfo().verification.inbox.length === 0) return null;
  return (
    <Text size="sm">
      {t('invitations.inbox_lead')}{' '}
      <Anchor href="/dev/inbox" target="_blank" underline="always">
        {t('invitations.inbox')}
      </Anchor>
    </Text>
  );
}

function Invite({ organization }: { readonly organization: Organization }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [contact, setContact] = useState('');
  const [roleIds, setRoleIds] = useState<string[]>([]);
  const sent = useSentText();
  useUnsaved(contact !== '' || roleIds.length > 0);
  const invite = async (): Promise<void> => {
    const body = { [channelOf(contact) === 'email' ? 'email' : 'phone']: contact, role_ids: roleIds };
    const options = { params: { path: { id: organization.id } }, body };
    if (!(await act.run(() => api.POST('/api/organization/{id}/invitations', options), sent(channelOf(contact))))) {
      return;
    }
    setContact('');
    setRoleIds([]);
    await reload();
  };
  return (
    <Form act={act} onSubmit={invite}>
      <Stack gap="xs">
        <TextInput
          label={t('invitations.contact')}
          description={t('invitations.contact_hint')}
          value={contact}
          error={act.fields['email'] ?? act.fields['phone']}
          autoComplete="off"
          onChange={(event) => {
            setContact(event.currentTarget.value);
          }}
        />
        <OrganizationRolePicker organizationId={organization.id} ids={roleIds} editable onChange={setRoleIds} />
        <InboxLink />
        <Row>
          <Button type="submit" variant="default" disabled={contact === ''} loading={act.busy}>
            {t('invitations.invite')}
          </Button>
        </Row>
      </Stack>
    </Form>
  );
}

interface InvitationsProps {
  readonly organization: Organization;
  readonly sends: boolean;
  readonly withdraws: boolean;
}

interface ActsProps extends InvitationsProps {
  readonly invitation: Invitation;
}

function InvitationActs({ organization, invitation, sends, withdraws }: ActsProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const sent = useSentText();
  const who = contactOf(invitation);
  const params = { path: { id: organization.id, invitation_id: invitation.id } };
  const resend = async (): Promise<void> => {
    const send = () => api.POST('/api/organization/{id}/invitations/{invitation_id}/resend', { params });
    if (await act.run(send, sent(channelOf(who)))) await reload();
  };
  const withdraw = async (): Promise<void> => {
    const title = t('invitations.withdraw_of', { who });
    if (!(await ask({ title, text: t('invitations.withdraw_ask'), confirm: t('invitations.withdraw') }))) return;
    const send = () => api.DELETE('/api/organization/{id}/invitations/{invitation_id}', { params });
    if (await act.run(send, t('invitations.withdrawn'))) await reload();
  };
  return (
    <Row gap="xs">
      {sends && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('invitations.resend_to', { who })}
          loading={act.busy}
          onClick={() => void resend()}
        >
          {t('invitations.resend')}
        </Button>
      )}
      {withdraws && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('invitations.withdraw_of', { who })}
          loading={act.busy}
          onClick={() => void withdraw()}
        >
          {t('invitations.withdraw')}
        </Button>
      )}
    </Row>
  );
}

/** Invitations that were neither accepted nor withdrawn. */
export function OrganizationInvitations(props: InvitationsProps): ReactNode {
  const { t } = useTranslation();
  const { organization, sends } = props;
  const [page, setPage] = useState(1);
  const params = { path: { id: organization.id }, query: { page, page_size: PAGE } };
  const invitations = $api.useQuery('get', '/api/organization/{id}/invitations', { params });
  const columns = [
    { name: t('invitations.contact'), show: contactOf },
    {
      name: t('invitations.expires'),
      show: ({ expires_at, suspended }: Invitation) => (suspended ? t('invitations.suspended') : timeOf(expires_at)),
    },
    {
      name: t('list.actions'),
      show: (invitation: Invitation) => <InvitationActs {...props} invitation={invitation} />,
    },
  ];
  return (
    <Section title={t('invitations.title')} lead={t('invitations.lead')}>
      <PagedTable
        query={invitations}
        page={page}
        onPage={setPage}
        label={t('invitations.title')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={t('invitations.none')}
      />
      {sends && <Invite organization={organization} />}
    </Section>
  );
}
