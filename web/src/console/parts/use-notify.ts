import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf, type Problem } from '../../api/problem';

const READING_MS = 8_000;

/** Ids of the errors that are shown. */
const shownErrors = new Set<string>();

export interface Notify {
  success(message: string): void;
  error(message: string): void;
  /** @param problem of the response. Any other value means that the service could not be reached. */
  requestError(problem: unknown): void;
  /** Hides the errors of earlier attempts, which a success would contradict. */
  clearErrors(): void;
}

/** Names each field, because the page does not show them. */
function sentenceWithFields(problem: Problem): string {
  const fields = (problem.errors ?? []).map(({ field, detail }) => `${field}: ${detail}`);
  return fields.length === 0 ? sentenceOf(problem) : fields.join('\n');
}

/** Shows notifications about the outcome of an action. */
export function useNotify(): Notify {
  const { t } = useTranslation();
  const closable = { closeButtonProps: { 'aria-label': t('act.close') } };
  const error = (message: string): void => {
    const id = notifications.show({
      ...closable,
      color: 'red.9',
      message,
      autoClose: READING_MS,
      onClose: () => shownErrors.delete(id),
    });
    shownErrors.add(id);
  };
  return {
    success(message) {
      notifications.show({ ...closable, color: 'green.9', message });
    },
    error,
    requestError(problem) {
      error(isProblem(problem) ? sentenceWithFields(problem) : t('page.unreachable'));
    },
    clearErrors() {
      for (const id of shownErrors) notifications.hide(id);
    },
  };
}
