import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { useLoad } from '../use-load';
import { Section } from './section';

/** The largest page. */
const MOST = 100;

/** Links to the organisations of the user, in the console. Shows nothing to users without one. */
export function OwnOrganizations(): ReactNode {
  const { t } = useTranslation();
  const { data } = useLoad(() => api.GET('/api/organization', { params: { query: { mine: true, page_size: MOST } } }));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Section title={t('nav.organizations')} lead={t('organizations.own_lead')}>
      <ul className="plain">
        {data.items.map(({ id, name }) => (
          <li key={id}>
            <a className="link" href={`/account/organizations/${id}`}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
