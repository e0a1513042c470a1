import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../api';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { timeOf } from '../../shared/time';
import { ResetFactors } from './reset-factors';

interface UserLoginsProps {
  readonly userId: string;
  readonly username: string;
}

const factorNames = { totp: 'mfa.totp', passkey: 'mfa.passkey', recovery: 'mfa.recovery' } as const;

/** The second factors and linked accounts of a user. Loaded after the page, which is large without them. */
export default function UserLogins({ userId, username }: UserLoginsProps): ReactNode {
  const { t } = useTranslation();
  const params = { path: { id: userId } };
  const factors = $api.useQuery('get', '/api/user/{id}/mfa', { params });
  const identities = $api.useQuery('get', '/api/user/{id}/identities', { params });
  return (
    <>
      <Section title={t('users.second_factor')}>
        <Loaded query={factors}>
          {({ items }) => (
            <>
              <Stack component="ul" gap={4} p={0} m={0} className="plain">
                {items.map(({ id, type, name, created_at, last_used_at, remaining }) => (
                  <li key={id}>
                    {[name, t(factorNames[type])].filter(Boolean).join(' · ')}
                    <Text size="sm" c="dimmed">
                      {remaining !== undefined && t('mfa.remaining', { count: remaining })}{' '}
                      {t('mfa.since', { time: timeOf(created_at) })}{' '}
                      {last_used_at !== null && t('mfa.used', { time: timeOf(last_used_at) })}
                    </Text>
                  </li>
                ))}
                {items.length === 0 && <li>{t('users.no_factors')}</li>}
              </Stack>
              {items.length > 0 && (
                <div>
                  <ResetFactors userId={userId} username={username} />
                </div>
              )}
            </>
          )}
        </Loaded>
      </Section>
      <Section title={t('nav.identities')}>
        <Loaded query={identities}>
          {({ items }) => (
            <Stack component="ul" gap={4} p={0} m={0} className="plain">
              {items.map(({ id, label, subject_hint, linked_at }) => (
                <li key={id}>
                  {label}
                  <Text size="sm" c="dimmed">
                    {t('identities.linked', { subject: subject_hint, time: timeOf(linked_at) })}
                  </Text>
                </li>
              ))}
              {items.length === 0 && <li>{t('users.no_identities')}</li>}
            </Stack>
          )}
        </Loaded>
      </Section>
    </>
  );
}
