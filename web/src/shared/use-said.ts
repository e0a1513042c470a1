import { useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface Said<T> {
  readonly said: T;
  /** @param language of the message. Defaults to the page's language at the time of rendering. */
  readonly say: (what: T, language?: string) => void;
}

/**
 * Keeps a message in the page's language. A message in another language is discarded.
 *
 * @param nothing value without a message. Must be the same on every render.
 */
export function useSaid<T>(nothing: T): Said<T> {
  const { language: spoken } = useTranslation().i18n;
  const [{ what, language: used }, setSaid] = useState({ what: nothing, language: spoken });
  const isForeign = used !== spoken;
  // Discard the message for good: switching back does not show it again.
  if (isForeign) setSaid({ what: nothing, language: spoken });
  return {
    said: isForeign ? nothing : what,
    say: (message, language = spoken) => {
      setSaid({ what: message, language });
    },
  };
}
