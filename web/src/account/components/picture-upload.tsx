import { useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { rememberMe } from '../me';
import { useSubmit } from '../use-submit';
import { Button } from './button';
import { shrinkPicture } from './shrink-picture';

/** Uploads a picture as the avatar at once. */
export function PictureUpload({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const input = useRef<HTMLInputElement>(null);
  const upload = async (file: File): Promise<void> => {
    const picture = await shrinkPicture(file);
    if (picture === undefined) {
      act.showMessage({ picture: t('avatar.unreadable') });
      return;
    }
    const answer = await act.run(() => api.PUT('/api/auth/me/avatar', { body: { picture } }), t('act.saved'));
    if (!answer?.data) return;
    rememberMe(answer.data);
    onDone();
  };
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ target }) => {
          const file = target.files?.[0];
          // The same file can be chosen again.
          target.value = '';
          if (file) void upload(file);
        }}
      />
      <Button busy={act.busy} onClick={() => input.current?.click()}>
        {t('avatar.upload')}
      </Button>
      <div role="alert">{act.fields['picture'] && <p className="error">{act.fields['picture']}</p>}</div>
    </div>
  );
}
