import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client';
import { isProblem, sentenceOf } from '../api/problem';
import { demandOf } from '../shared/demand';
import { isOnLoginPage, placeOf, useStepDue } from '../session/places';
import { LOGIN_WINDOW } from '../session/session-end';
import { goInstead } from './router';
import { shown } from './shown';
import { steps } from './steps';
import { useStore } from './store';
import { reloadFailed, useLoad } from './use-load';

/** The error that names the required step. Asks a route that is closed until the step is complete. */
function useStepError(): unknown {
  // Not on return: the user may have unsaved input.
  const { error, reload } = useLoad(() => api.GET('/api/auth/sessions'), { onReturn: false, isStep: true });
  const count = useStore(steps);
  useEffect(() => {
    if (count > 0) void reload();
  }, [count]);
  const isDue = demandOf(error) !== undefined;
  useEffect(() => {
    if (!isDue) return;
    // The step may be completed in another window.
    const look = (): void => {
      if (document.visibilityState === 'visible') void reloadFailed();
    };
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
    };
  }, [isDue]);
  return error;
}

/** Leads to the login page that asks for the step. Unsaved input stays, and the page opens in another window. */
function StepDue({ error }: { readonly error: unknown }): ReactNode {
  const { t } = useTranslation();
  const address = useStepDue();
  if (address === undefined) return null;
  return (
    <div role="alert" className="notice row">
      {isProblem(error) && <span>{sentenceOf(error)}</span>}
      <a className="primary" href={address} target={LOGIN_WINDOW}>
        {t(demandOf(error) === 'terms_required' ? 'act.read_and_agree' : 'act.give')}
      </a>
    </div>
  );
}

/** Leads the user to the page of a required step. */
export function Demands(): ReactNode {
  const error = useStepError();
  const path = useStore(shown)?.path;
  const place = placeOf(error)?.path;
  const demand = demandOf(error);
  useEffect(() => {
    if (place !== undefined && path !== undefined && place !== path) void goInstead(place);
  }, [place, path]);
  if (isOnLoginPage(demand)) return <StepDue error={error} />;
  // The page of the second factor has its own notice.
  if (demand !== 'password_change_required' || !isProblem(error)) return null;
  return (
    <div role="alert" className="notice">
      {sentenceOf(error)}
    </div>
  );
}
