import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const linesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(value)]);
const written = (value: unknown): string => JSON.stringify(value);

interface DifferenceProps {
  /** Null means the default, or a value that is never shown. */
  readonly from: unknown;
  readonly to: unknown;
  /** Text for null. */
  readonly nothing: string;
}

/** Shows removed and added values. For lists, only the entries that differ. */
export function Difference({ from, to, nothing }: DifferenceProps): ReactNode {
  const { t } = useTranslation();
  const isList = Array.isArray(from) || Array.isArray(to);
  const before = from === null ? [] : linesOf(from);
  const after = to === null ? [] : linesOf(to);
  const gone = isList ? before.filter((entry) => !after.includes(entry)) : from === null ? [] : [written(from)];
  const come = isList ? after.filter((entry) => !before.includes(entry)) : to === null ? [] : [written(to)];
  return (
    <ul className="difference">
      {(gone.length > 0 ? gone : from === null ? [nothing] : []).map((text) => (
        <li key={text}>
          <del>
            <span className="unseen">{t('settings.from')} </span>
            <code>{text}</code>
          </del>
        </li>
      ))}
      {(come.length > 0 ? come : to === null ? [nothing] : []).map((text) => (
        <li key={text}>
          <ins>
            <span className="unseen">{t('settings.to')} </span>
            <code>{text}</code>
          </ins>
        </li>
      ))}
    </ul>
  );
}
