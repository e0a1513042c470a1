import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';
import { demandOf } from '../../shared/demand';
import { isOnLoginPage, placeOf, useStepDue } from '../../session/places';
import { LOGIN_WINDOW } from '../../session/session-end';
import { dropUnsaved } from '../../session/unsaved';
import { stepOptions } from '../query-client';

/** Leads to the login page that asks for the step. Unsaved input stays, and the page opens in another window. */
function StepDue({ error }: { readonly error: unknown }): ReactNode {
  const { t } = useTranslation();
  const address = useStepDue();
  return (
    address !== undefined && (
      <Alert color="yellow.9" variant="outline" mb="md" maw={860} role="alert">
        <Group justify="space-between">
          {isProblem(error) && sentenceOf(error)}
          <Button component="a" href={address} target={LOGIN_WINDOW}>
            {t(demandOf(error) === 'terms_required' ? 'act.read_and_agree' : 'act.give')}
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
  const path = placeOf(error)?.path;
  useEffect(() => {
    if (path === undefined) return;
    dropUnsaved();
    location.replace(path);
  }, [path]);
  return isOnLoginPage(demandOf(error)) && <StepDue error={error} />;
}
