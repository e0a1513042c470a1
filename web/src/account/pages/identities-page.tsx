import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { ProviderMark } from '../../shared/provider-mark';
import { timeOf } from '../../shared/time';
import { ask } from '../dialogs';
import { info } from '../info';
import { Button } from '../components/button';
import { Card, Cards } from '../components/card';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useSubmit } from '../use-submit';
import { useLoad } from '../use-load';

interface Linked {
  readonly id: string;
  readonly label: string;
  readonly subject_hint: string;
  readonly linked_at: string;
}

interface IdentityCardProps {
  readonly identity: Linked;
  readonly onUnlinked: () => Promise<void>;
}

function IdentityCard({ identity, onUnlinked }: IdentityCardProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const unlink = async (): Promise<void> => {
    const text = t('identities.unlink_ask', { provider: identity.label });
    if (!(await ask({ title: t('identities.unlink'), text, confirm: t('identities.unlink') }))) return;
    const params = { path: { id: identity.id } };
    if (await act.run(() => api.DELETE('/api/auth/identities/{id}', { params }), t('identities.unlinked'))) {
      await onUnlinked();
    }
  };
  const linked = t('identities.linked', { subject: identity.subject_hint, time: timeOf(identity.linked_at) });
  return (
    <Card title={identity.label} lines={[linked]}>
      <Button busy={act.busy} onClick={unlink}>
        {t('identities.unlink')}
      </Button>
    </Card>
  );
}

function LinkButtons(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { oauth_providers: providers } = info;
  const link = async (name: string): Promise<void> => {
    const body = { name, redirect: '/account/identities' };
    const answer = await act.run(() => api.POST('/api/oauth/bind/start', { body }));
    if (answer?.data) location.assign(answer.data.redirect);
  };
  if (providers.length === 0) return <p className="lead">{t('identities.no_providers')}</p>;
  return (
    <div className="buttons">
      {providers.map(({ name, label, template, icon }) => (
        <Button key={name} busy={act.busy} onClick={() => link(name)}>
          <ProviderMark template={template} label={label} icon={icon} />
          {t('identities.link', { provider: label })}
        </Button>
      ))}
    </div>
  );
}

export function IdentitiesPage(): ReactNode {
  const { t } = useTranslation();
  const identities = useLoad(() => api.GET('/api/auth/identities'));
  return (
    <Page title={t('nav.identities')} lead={t('identities.lead')}>
      <Loaded query={identities}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('identities.none')}</p>
          ) : (
            <Cards>
              {items.map((identity) => (
                <IdentityCard key={identity.id} identity={identity} onUnlinked={identities.reload} />
              ))}
            </Cards>
          )
        }
      </Loaded>
      <LinkButtons />
    </Page>
  );
}
