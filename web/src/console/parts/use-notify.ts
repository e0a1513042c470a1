import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';

const READING_MS = 8_000;

export interface Notify {
  success(message: string): void;
  error(message: string): void;
  /** @param problem of the response. Any other value means that the service could not be reached. */
  requestError(problem: unknown): void;
}

/** Shows notifications about the outcome of an action. */
export function useNotify(): Notify {
  const { t } = useTranslation();
  const closable = { closeButtonProps: { 'aria-label': t('act.close') } };
  const error = (message: string): void => {
    notifications.show({ ...closable, color: 'red.9', message, autoClose: READING_MS });
  };
  return {
    success(message) {
      notifications.show({ ...closable, color: 'green.9', message });
    },
    error,
    requestError(problem) {
      error(isProblem(problem) ? (problem.errors?.[0]?.detail ?? sentenceOf(problem)) : t('page.unreachable'));
    },
  };
}
