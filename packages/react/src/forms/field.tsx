import { useId, type InputHTMLAttributes, type ReactNode } from 'react';

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  readonly name: string;
  readonly label: string;
  readonly error?: string | undefined;
}

/** A labelled input with its error. */
export function Field({ label, error, required = true, ...input }: FieldProps): ReactNode {
  const id = useId();
  const hasError = error !== undefined;
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        required={required}
        aria-invalid={hasError}
        aria-describedby={hasError ? `${id}-error` : undefined}
        {...input}
      />
      {hasError && <p id={`${id}-error`}>{error}</p>}
    </div>
  );
}

interface CheckProps {
  readonly name: string;
  readonly label: string;
  readonly defaultChecked?: boolean;
}

export function Check({ name, label, defaultChecked = false }: CheckProps): ReactNode {
  return (
    <label>
      <input type="checkbox" name={name} defaultChecked={defaultChecked} /> {label}
    </label>
  );
}
