import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { ask } from '../dialogs';
import { useSubmit } from '../use-submit';
import { useLoad } from '../use-load';
import { Button } from './button';
import { Card, Cards } from './card';
import { Section } from './section';

interface Organization {
  readonly id: string;
  readonly name: string;
  readonly status: 'accepted' | 'pending';
  readonly roles: readonly string[];
}

interface RowProps {
  readonly organization: Organization;
  readonly onChange: () => Promise<void>;
}

const rolesIn = ({ roles }: Organization): string => roles.join(' · ');

/** A membership that counts only after the user accepts. */
function PendingRow({ organization, onChange }: RowProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { id, name } = organization;
  const params = { path: { id } };
  const accept = async (): Promise<void> => {
    const call = () => api.POST('/api/auth/me/organization/{id}/accept', { params });
    await act.run(call, t('organizations.accepted', { name }));
    await onChange();
  };
  const decline = async (): Promise<void> => {
    await act.run(
      () => api.DELETE('/api/auth/me/organization/{id}', { params }),
      t('organizations.declined', { name }),
    );
    await onChange();
  };
  return (
    <Card
      title={name}
      mark={{ tone: 'plain', text: t('organizations.pending') }}
      lines={[t('organizations.pending_hint'), ...(organization.roles.length > 0 ? [rolesIn(organization)] : [])]}
    >
      <div className="buttons">
        <Button className="primary" busy={act.busy} label={t('organizations.accept_one', { name })} onClick={accept}>
          {t('organizations.accept')}
        </Button>
        <Button busy={act.busy} label={t('organizations.decline_one', { name })} onClick={decline}>
          {t('organizations.decline')}
        </Button>
      </div>
    </Card>
  );
}

function MemberRow({ organization, onChange }: RowProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { id, name } = organization;
  const leave = async (): Promise<void> => {
    const title = t('organizations.leave_one', { name });
    const text = t('organizations.leave_ask', { name });
    if (!(await ask({ title, text, confirm: t('organizations.leave') }))) return;
    const params = { path: { id } };
    await act.run(() => api.DELETE('/api/auth/me/organization/{id}', { params }), t('organizations.left', { name }));
    await onChange();
  };
  return (
    <Card title={name} lines={organization.roles.length > 0 ? [rolesIn(organization)] : []}>
      <div className="buttons">
        <a
          className="secondary"
          href={`/account/organizations/${id}`}
          aria-label={t('organizations.open_one', { name })}
        >
          {t('organizations.open')}
        </a>
        <Button busy={act.busy} label={t('organizations.leave_one', { name })} onClick={leave}>
          {t('organizations.leave')}
        </Button>
      </div>
    </Card>
  );
}

/** The organizations of the user: to accept, to open in the console, and to leave. Shows nothing to users without one. */
export function OwnOrganizations(): ReactNode {
  const { t } = useTranslation();
  const { data, reload } = useLoad(() => api.GET('/api/auth/me/organization'));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={t('nav.organizations')} lead={t('organizations.own_lead')}>
      <Cards>
        {data.items.map((organization) => {
          const Row = organization.status === 'pending' ? PendingRow : MemberRow;
          return <Row key={organization.id} organization={organization} onChange={reload} />;
        })}
      </Cards>
    </Section>
  );
}
