import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';
import { placeOf } from '../../session/places';
import type { Load } from '../use-load';

interface LoadedProps<T> {
  readonly query: Load<T>;
  readonly children: (data: T) => ReactNode;
}

/** Takes about the place of the content, so that the page does not jump. */
export function Waiting(): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="progressbar" aria-label={t('page.loading')} className="waiting">
      <div />
      <div />
      <div />
    </div>
  );
}

/** Shows data, or why it is not there yet. */
export function Loaded<T>({ query: { data, error, reload }, children }: LoadedProps<T>): ReactNode {
  const { t } = useTranslation();
  if (data !== undefined) return children(data);
  if (error == null) return <Waiting />;
  const place = placeOf(error);
  return (
    <div role="alert" className="notice bad">
      <p>{isProblem(error) ? sentenceOf(error) : t('form.unreachable')}</p>
      {place ? (
        <a className="secondary" href={place.path}>
          {t(`nav.${place.name}`)}
        </a>
      ) : (
        <button type="button" className="secondary" onClick={() => void reload()}>
          {t('act.reload')}
        </button>
      )}
    </div>
  );
}
