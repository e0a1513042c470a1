import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';

const READING_MS = 8_000;

export interface Tell {
  done(what: string): void;
  /** Why nothing came of it. */
  refused(why: string): void;
  /** @param error what the service answered; anything else: it was not reached. */
  failed(error: unknown): void;
}

/** Says beside the page how something went. */
export function useTell(): Tell {
  const { t } = useTranslation();
  const closable = { closeButtonProps: { 'aria-label': t('act.close') } };
  const refused = (message: string): void => {
    notifications.show({ ...closable, color: 'red.9', message, autoClose: READING_MS });
  };
  return {
    done(message) {
      notifications.show({ ...closable, color: 'green.9', message });
    },
    refused,
    failed(error) {
      refused(isProblem(error) ? (error.errors?.[0]?.detail ?? sentenceOf(error)) : t('page.unreachable'));
    },
  };
}
