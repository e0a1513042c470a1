import type { TFunction } from 'i18next';
import type { Info } from '../../shared/info';

interface TypedPassword {
  readonly password: string;
  readonly username?: string;
}

/** Says which rules of the service the password still breaks, as far as the page can know. */
export function passwordHint(t: TFunction, { password: { min_length: min } }: Info, typed: TypedPassword): string {
  const { password, username = '' } = typed;
  if (password === '') return t('new_password.hint', { min });
  // The service counts characters of the normalized password.
  const missing = min - Array.from(password.normalize('NFC')).length;
  if (missing > 0) return t('new_password.missing', { count: missing });
  if (password.toLowerCase() === username.toLowerCase()) return t('new_password.is_username');
  return t('new_password.enough');
}
