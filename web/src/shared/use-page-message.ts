import { useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface PageMessage<T> {
  readonly message: T;
  /** @param language of the message. Defaults to the page's language at the time of rendering. */
  readonly showMessage: (what: T, language?: string) => void;
}

/**
 * Keeps a message in the page's language. A message in another language is discarded.
 *
 * @param nothing value without a message. Must be the same on every render.
 */
export function usePageMessage<T>(nothing: T): PageMessage<T> {
  const { language: currentLanguage } = useTranslation().i18n;
  const [{ what, language: used }, setMessage] = useState({ what: nothing, language: currentLanguage });
  const isForeign = used !== currentLanguage;
  // Discard the message for good: switching back does not show it again.
  if (isForeign) setMessage({ what: nothing, language: currentLanguage });
  return {
    message: isForeign ? nothing : what,
    showMessage: (message, language = currentLanguage) => {
      setMessage({ what: message, language });
    },
  };
}
