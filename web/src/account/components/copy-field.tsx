import { Check, Copy } from 'lucide-react';
import { useId, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../shared/use-copy';

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
}

/** Read-only value with a copy button. */
export function CopyField({ label, value }: CopyFieldProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const { outcome, copy } = useCopy();
  const isCopied = outcome === 'copied';
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="input">
        <input
          ref={field}
          id={id}
          value={value}
          readOnly
          className="mono"
          onFocus={(event) => {
            event.currentTarget.select();
          }}
        />
        <button
          type="button"
          className="quiet"
          aria-label={isCopied ? t('act.copied') : t('act.copy_of', { what: label })}
          onClick={() =>
            void copy(value, () => {
              field.current?.focus();
              field.current?.select();
            })
          }
        >
          {isCopied ? <Check /> : <Copy />} <span role="status">{t(isCopied ? 'act.copied' : 'act.copy')}</span>
        </button>
      </div>
      <div role="alert">{outcome === 'failed' && <p className="error">{t('act.copy_failed')}</p>}</div>
    </div>
  );
}
