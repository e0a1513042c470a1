import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router';
import { isProblem, sentenceOf } from '../../api/problem';
import { demandOf, type Demand } from '../../shared/demand';
import { queryClient, stepOptions } from '../query-client';
import { LOGIN_WINDOW } from '../signed-out';
import { hasUnsaved, withoutQuestion } from '../unsaved';

interface Place {
  readonly path: string;
  /** Key of the page name under `nav`. */
  readonly name: string;
}

/** Terms are accepted on a login page. */
const places: Readonly<Partial<Record<Demand, Place>>> = {
  password_change_required: { path: '/account/security', name: 'security' },
  mfa_enrolment_required: { path: '/account/mfa', name: 'mfa' },
};

/** Returns the page where the user completes the required step, if the error names one. */
export function placeOf(error: unknown): Place | undefined {
  const demand = demandOf(error);
  return demand && places[demand];
}

/** Reloads the queries that failed before the user completed the required step. */
export const refetchFailedQueries = (): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });

/** Leads to the login page that asks for agreement. Unsaved input stays, and the page opens in another window. */
function TermsDue({ error }: { readonly error: unknown }): ReactNode {
  const { t } = useTranslation();
  const [waits] = useState(hasUnsaved);
  const here = `${location.pathname}${location.search}`;
  const address = `/login?${new URLSearchParams({ logged_in: '', redirect: here }).toString()}`;
  useEffect(() => {
    if (!waits) location.replace(address);
  }, [waits]);
  return (
    waits && (
      <Alert color="yellow.9" variant="outline" mb="md" maw={860} role="alert">
        <Group justify="space-between">
          {isProblem(error) && sentenceOf(error)}
          <Button component="a" href={address} target={LOGIN_WINDOW}>
            {t('act.read_and_agree')}
          </Button>
        </Group>
      </Alert>
    )
  );
}

/** Redirects the user to the page of a required step. Calls a route that is closed until the step is complete. */
export function Demands(): ReactNode {
  // The step may be completed in another window.
  const { error } = useQuery({ ...stepOptions, refetchOnWindowFocus: ({ state }) => state.error !== null && 'always' });
  const { pathname } = useLocation();
  const place = placeOf(error);
  if (demandOf(error) === 'terms_required') return <TermsDue error={error} />;
  if (!error || !place) return null;
  if (place.path !== pathname) return <Navigate to={place.path} state={withoutQuestion} replace />;
  // The MFA page shows its own notice.
  return (
    demandOf(error) === 'password_change_required' && (
      <Alert color="yellow.9" variant="outline" mb="md" maw={860}>
        {sentenceOf(error)}
      </Alert>
    )
  );
}
