import { useEffect, useId, useRef, useState, type InputHTMLAttributes, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface LabelledProps {
  readonly label: string;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** Marks the label. */
  readonly isRequired?: boolean;
  readonly children: (control: ControlProps) => ReactNode;
}

/** What ties the control to its label, hint and error. */
interface ControlProps {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

/** A control with its label, hint and error. */
export function Labelled({ label, error, hint, isRequired = false, children }: LabelledProps): ReactNode {
  const id = useId();
  const notes = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={id} className={isRequired ? 'required' : undefined}>
        {label}
      </label>
      {children({ id, 'aria-invalid': error ? true : undefined, 'aria-describedby': notes || undefined })}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: string | undefined;
  /** Content beside the input, inside its frame. */
  readonly aside?: ReactNode;
}

export function Field({ label, value, onChange, error, hint, aside, autoFocus, ...input }: FieldProps): ReactNode {
  const box = useRef<HTMLInputElement>(null);
  // Browsers apply `autofocus` on page load only, not to an input that is added later.
  useEffect(() => {
    if (autoFocus) box.current?.focus();
  }, []);
  return (
    <Labelled label={label} error={error} hint={hint}>
      {(control) => (
        <div className="input">
          <input
            {...input}
            {...control}
            ref={box}
            value={value}
            onChange={(event) => {
              onChange(event.target.value);
            }}
          />
          {aside}
        </div>
      )}
    </Labelled>
  );
}

export function PasswordInput(props: FieldProps): ReactNode {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const toggle = (
    <button
      type="button"
      className="quiet"
      onClick={() => {
        setShown(!shown);
      }}
    >
      {t(shown ? 'form.hide' : 'form.show')}
    </button>
  );
  return (
    <Field {...props} type={shown ? 'text' : 'password'} aside={toggle} autoCapitalize="none" spellCheck={false} />
  );
}

interface CheckProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly error?: string | undefined;
}

export function Check({ label, checked, onChange, error }: CheckProps): ReactNode {
  const id = useId();
  return (
    <>
      <label className="check">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => {
            onChange(event.target.checked);
          }}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id : undefined}
        />
        {label}
      </label>
      {error && (
        <p className="error" id={id}>
          {error}
        </p>
      )}
    </>
  );
}

interface FailureProps {
  readonly children: string | undefined;
  /** Changes with each failure, so that a screen reader reads the same text again. */
  readonly messageCount?: number;
}

/** Screen readers announce the text as soon as it appears. */
export function Failure({ children, messageCount }: FailureProps): ReactNode {
  return (
    <div role="alert" aria-live="assertive">
      {children && (
        <p key={messageCount} className="failure">
          {children}
        </p>
      )}
    </div>
  );
}

export function Submit({ busy, children }: { readonly busy: boolean; readonly children: ReactNode }): ReactNode {
  return (
    <button type="submit" className="primary" disabled={busy} aria-busy={busy}>
      {children}
    </button>
  );
}
