import type { ReactNode } from 'react';
import { usePasswordReset } from '../index';
import { CodeField } from './code-field';
import { Field } from './field';
import { fieldError, type FormProps, Frame } from './form';
import { useTexts } from './texts';

export interface ResetFormProps extends FormProps {
  /** The password is set, and the user can log in. */
  readonly onReset?: () => void;
  readonly channel?: 'email' | 'sms';
}

/** Sets a new password by a code. */
export function ResetForm({ onReset, channel = 'email', language, className, children }: ResetFormProps): ReactNode {
  const t = useTexts(language);
  const { reset, ...state } = usePasswordReset();
  const submit = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    const { target = '', code = '', new_password = '' } = fields;
    if (await reset({ channel, target: target.trim(), code: code.trim(), new_password })) onReset?.();
  };
  return (
    <>
      <Frame {...{ state, t, className }} action={t('set_password')} onSubmit={(fields) => void submit(fields)}>
        <CodeField
          key={channel}
          purpose="reset_password"
          channel={channel}
          t={t}
          targetName="target"
          codeName="code"
          targetError={fieldError(state.problem, 'target')}
          codeError={fieldError(state.problem, 'code')}
        />
        <Field
          name="new_password"
          label={t('new_password')}
          type="password"
          autoComplete="new-password"
          error={fieldError(state.problem, 'new_password') ?? fieldError(state.problem, 'password')}
        />
      </Frame>
      {children}
    </>
  );
}
