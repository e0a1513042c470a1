import { useTranslation } from 'react-i18next';
import { familyNames, hasTitle, wholeFamily } from './event-types';

/** Returns a function that describes a type or a filter of types. Names without a text describe themselves. */
export function useEventTitle(): (filter: string) => string {
  const { t } = useTranslation();
  return (filter) => {
    const family = familyNames.find((name) => wholeFamily(name) === filter);
    if (family) return t('events.whole_family', { family: t(`events.family_${family}`) });
    return hasTitle(filter) ? t(`events.type_${filter.replace('.', '_')}`) : filter;
  };
}
