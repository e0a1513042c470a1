import { useState } from 'react';
import { useTranslation } from 'react-i18next';

export interface Said<T> {
  readonly said: T;
  /** @param language default: the one that the page spoke when it was drawn with this. */
  readonly say: (what: T, language?: string) => void;
}

/**
 * What is told in the page's language; what was told in another, or comes in it after all, is taken for unsaid.
 *
 * @param nothing stands for what is unsaid; the same each time.
 */
export function useSaid<T>(nothing: T): Said<T> {
  const { language: spoken } = useTranslation().i18n;
  const [{ what, language: used }, setSaid] = useState({ what: nothing, language: spoken });
  const isForeign = used !== spoken;
  // For good: it is not told again to whoever comes back to its language.
  if (isForeign) setSaid({ what: nothing, language: spoken });
  return {
    said: isForeign ? nothing : what,
    say: (told, language = spoken) => {
      setSaid({ what: told, language });
    },
  };
}
