import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../../ui-basic/fields';
import { Button } from './button';

const OFFERED = 6;
const SEED_BYTES = 12;
const OWN = /^\/api\/avatar\//;

/** Returns the address of a new random picture. */
function draw(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return `/api/avatar/${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}.svg`;
}

const drawSome = (): string[] => Array.from({ length: OFFERED }, draw);

interface AvatarChoiceProps {
  readonly current: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (avatar: string) => void;
}

/** Chooses a generated picture or a picture by its URL. */
export function AvatarChoice({ current, value, error, onChange }: AvatarChoiceProps): ReactNode {
  const { t } = useTranslation();
  const [drawn, setDrawn] = useState(drawSome);
  const offered = [...new Set([current, ...drawn])].filter((address) => address !== '');
  return (
    <>
      <fieldset className="choice avatars">
        <legend>{t('avatar.title')}</legend>
        {offered.map((address, index) => (
          <label key={address}>
            <input
              type="radio"
              name="avatar"
              checked={value === address}
              aria-label={index === 0 ? t('avatar.current') : t('avatar.drawn', { number: index })}
              onChange={() => {
                onChange(address);
              }}
            />
            <img src={address} alt="" width={48} height={48} className="picture" />
          </label>
        ))}
      </fieldset>
      <div className="buttons">
        <Button
          onClick={() => {
            setDrawn(drawSome());
          }}
        >
          {t('avatar.others')}
        </Button>
        <span className="hint">{t('avatar.kept')}</span>
      </div>
      <Field
        label={t('field.avatar')}
        hint={t('field.avatar_hint')}
        value={OWN.test(value) ? '' : value}
        type="url"
        error={error}
        onChange={onChange}
      />
    </>
  );
}
