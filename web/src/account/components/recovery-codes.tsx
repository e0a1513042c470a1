import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { saveCodes } from '../../shared/save-codes';
import { selectContent, useCopy } from '../../shared/use-copy';
import { Button } from './button';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

/** New recovery codes, until the user says that they are saved. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const { outcome, copy } = useCopy();
  const label = t(outcome === 'copied' ? 'act.copied' : 'mfa.copy_codes');
  return (
    <section className="notice" aria-label={t('mfa.recovery')}>
      <h2>{t('mfa.recovery')}</h2>
      <p>{t('mfa.recovery_shown_once')}</p>
      <ul ref={list} className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="buttons">
        <Button
          label={label}
          onClick={() =>
            copy(codes.join('\n'), () => {
              if (list.current) selectContent(list.current);
            })
          }
        >
          <span role="status">{label}</span>
        </Button>
        <Button
          onClick={() => {
            print();
          }}
        >
          {t('mfa.print')}
        </Button>
        <Button
          onClick={() => {
            saveCodes(codes);
          }}
        >
          {t('mfa.save')}
        </Button>
        <Button className="primary" onClick={onSaved}>
          {t('mfa.codes_saved')}
        </Button>
      </div>
      <div role="alert">{outcome === 'failed' && <p className="error">{t('act.copy_failed')}</p>}</div>
    </section>
  );
}
