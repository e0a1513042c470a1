import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { timeOf } from '../../shared/time';
import { ask } from '../dialogs';
import { Button } from '../components/button';
import { Card, Cards } from '../components/card';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useSubmit } from '../use-submit';
import { useLoad } from '../use-load';

interface Consent {
  readonly client: { readonly id: string; readonly name: string };
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  readonly granted_at: string;
}

interface ConsentCardProps {
  readonly consent: Consent;
  readonly onWithdrawn: () => Promise<void>;
}

function ConsentCard({ consent, onWithdrawn }: ConsentCardProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const { client } = consent;
  const withdraw = async (): Promise<void> => {
    const text = t('applications.withdraw_ask', { client: client.name });
    if (!(await ask({ title: t('applications.withdraw'), text, confirm: t('applications.withdraw') }))) return;
    const params = { path: { client_id: client.id } };
    if (await act.run(() => api.DELETE('/api/oauth/consent/{client_id}', { params }), t('applications.withdrawn'))) {
      await onWithdrawn();
    }
  };
  const granted = t('applications.granted', {
    scopes: consent.scopes.map(({ description }) => description).join(' · '),
    time: timeOf(consent.granted_at),
  });
  return (
    <Card title={client.name} lines={[granted]}>
      <Button busy={act.busy} onClick={withdraw}>
        {t('applications.withdraw')}
      </Button>
    </Card>
  );
}

export function ApplicationsPage(): ReactNode {
  const { t } = useTranslation();
  const consents = useLoad(() => api.GET('/api/oauth/consent'));
  return (
    <Page title={t('nav.applications')} lead={t('applications.lead')}>
      <Loaded query={consents}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="lead">{t('applications.none')}</p>
          ) : (
            <Cards>
              {items.map((consent) => (
                <ConsentCard key={consent.client.id} consent={consent} onWithdrawn={consents.reload} />
              ))}
            </Cards>
          )
        }
      </Loaded>
    </Page>
  );
}
