import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { sentenceOf } from '../../api/problem';
import { demandOf, type Demand } from '../../shared/demand';
import { $api } from '../api';
import { queryClient } from '../query-client';

interface Place {
  readonly path: string;
  /** Key of its name under `nav`. */
  readonly name: string;
}

const places: Readonly<Record<Demand, Place>> = {
  password_change_required: { path: '/account/security', name: 'security' },
  mfa_enrolment_required: { path: '/account/mfa', name: 'mfa' },
};

/** Where the thing is done that keeps a request from being answered. */
export function placeOf(error: unknown): Place | undefined {
  const demand = demandOf(error);
  return demand && places[demand];
}

/** What was closed until a demand was met is open after it. */
export const askRefusedAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });

/** Leads whoever must finish something to where it is done; asked of a route that is closed until then. */
export function Demands(): ReactNode {
  // The page that lists them has another key: it asks when it is opened, and so learns that a login has ended.
  const { error } = $api.useQuery('get', '/api/auth/sessions', {}, { staleTime: Infinity });
  const { pathname } = useLocation();
  const place = placeOf(error);
  if (!error || !place) return null;
  if (place.path !== pathname) return <Navigate to={place.path} replace />;
  // The page of the second step says so itself.
  return (
    demandOf(error) === 'password_change_required' && (
      <Alert color="yellow.9" variant="outline" mb="md" maw={860}>
        {sentenceOf(error)}
      </Alert>
    )
  );
}
