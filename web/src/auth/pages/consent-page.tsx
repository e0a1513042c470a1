import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import type { Info } from '../../shared/info';
import { leaveIfEnded } from '../continue';
import { interaction } from '../destination';
import { Asking } from '../components/asking';
import { Failure } from '../../ui-basic/fields';
import { Page } from '../components/page';
import { useSubmit, type Submission } from '../use-submit';

type Interaction = components['schemas']['InteractionDto'];

/** Shows which scopes an application requests. The user allows or denies them. */
export function ConsentPage({ info }: { readonly info: Info }): ReactNode {
  const { t, i18n } = useTranslation();
  const submission = useSubmit();
  const retelling = useSubmit();
  const [asked, setAsked] = useState<Interaction>();
  const load = async (asking: Submission): Promise<void> => {
    const params = { path: { uid: interaction ?? '' } };
    const answer = await asking.send(() => api.GET('/api/oauth/interaction/{uid}', { params }), leaveIfEnded);
    if (!answer?.data) return;
    if (answer.data.kind !== 'login') setAsked(answer.data);
    else location.replace(`/login?interaction=${encodeURIComponent(answer.data.uid)}`);
  };
  // The service returns the scope descriptions in the page's language.
  useEffect(() => {
    if (asked) void load(retelling);
  }, [i18n.language]);
  if (!asked) return <Asking info={info} title={t('consent.title')} ask={load} />;

  const decide = async (decision: 'allow' | 'deny'): Promise<void> => {
    const params = { path: { uid: asked.uid } };
    const answer = await submission.send(
      () => api.POST('/api/oauth/interaction/{uid}', { params, body: { decision } }),
      leaveIfEnded,
    );
    if (answer?.data) location.assign(answer.data.redirect);
  };
  const name = asked.client.name;
  return (
    <Page
      info={info}
      title={t('consent.asks', { client: name })}
      lead={t('consent.as', { user: asked.user?.name ?? '' })}
    >
      {asked.client.logo && <img className="logo" src={asked.client.logo} alt="" />}
      <h2>{t('consent.will', { client: name })}</h2>
      <ul className="scopes">
        {asked.scopes.map((scope) => (
          <li key={scope.name}>{scope.description}</li>
        ))}
      </ul>
      <Failure messageCount={retelling.messageCount}>{retelling.failure}</Failure>
      <Failure messageCount={submission.messageCount}>{submission.failure}</Failure>
      <div className="decision">
        <button type="button" className="secondary" disabled={submission.busy} onClick={() => void decide('deny')}>
          {t('consent.deny')}
        </button>
        <button type="button" className="primary" disabled={submission.busy} onClick={() => void decide('allow')}>
          {t('consent.allow')}
        </button>
      </div>
    </Page>
  );
}
