import { Alert } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { sentenceOf } from '../../api/problem';
import { demandOf, type Demand } from '../../shared/demand';
import { $api } from '../api';
import { queryClient } from '../query-client';
import { withoutQuestion } from '../unsaved';

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

/** Redirects the user to the page of a required step. Calls a route that is closed until the step is complete. */
export function Demands(): ReactNode {
  // The sessions page uses another query key. It loads its list on opening, and so notices an ended session.
  const { error } = $api.useQuery('get', '/api/auth/sessions', {}, { staleTime: Infinity });
  const { pathname } = useLocation();
  const place = placeOf(error);
  const mustAcceptTerms = demandOf(error) === 'terms_required';
  useEffect(() => {
    if (!mustAcceptTerms) return;
    const here = `${location.pathname}${location.search}`;
    location.replace(`/login?${new URLSearchParams({ logged_in: '', redirect: here }).toString()}`);
  }, [mustAcceptTerms]);
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
