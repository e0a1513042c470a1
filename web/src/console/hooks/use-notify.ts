import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem';
import { READING_MS, sentenceWithFields, type Notify } from '../../session/notify';

/** Ids of the errors that are shown. */
const shownErrors = new Set<string>();

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
