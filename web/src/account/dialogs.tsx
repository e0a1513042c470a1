import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Store, useStore } from './store';
import { texts } from './texts';

interface DialogProps {
  readonly title: string;
  /** None: the dialog cannot be closed. */
  readonly onClose?: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Focuses what the content marks, else its first control. */
function focusContent(dialog: HTMLDialogElement): void {
  const marked = dialog.querySelector<HTMLElement>('[data-autofocus]');
  (marked ?? dialog.querySelector<HTMLElement>('.dialog-content :is(input, button, a)'))?.focus();
}

/** Modal dialog. The browser keeps the focus in it and gives it back afterwards. */
export function Dialog({ title, onClose, className = '', children }: DialogProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog) return;
    dialog.showModal();
    focusContent(dialog);
    return () => {
      dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      className={className}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // A second Escape would close the dialog without the `cancel` event.
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose?.();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // A second Escape, or a second step back on a phone, closes it without the `cancel` event.
        if (onClose) onClose();
        else if (element.current?.isConnected) element.current.showModal();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => {
        // A click beside the content hits the dialog itself. So does the end of a drag out of the content.
        if (target === element.current && pressed.current === target) onClose?.();
      }}
    >
      <div className="dialog-box">
        <div className="row">
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" className="close" aria-label={t('act.close')} onClick={onClose}>
              ×
            </button>
          )}
        </div>
        <div className="dialog-content">{children}</div>
      </div>
    </dialog>
  );
}

interface Opened {
  /** Distinguishes the dialogs that are open. */
  readonly id: number;
  readonly title: string;
  readonly content: ReactNode;
  readonly onClose: () => void;
}

let count = 0;
const opened = new Store<readonly Opened[]>([]);

/** Shows a dialog above the page. Returns a function that closes it. */
export function openDialog({ title, content, onClose }: Omit<Opened, 'id'>): () => void {
  const id = (count += 1);
  const close = (): void => {
    const others = opened.value.filter((dialog) => dialog.id !== id);
    if (others.length === opened.value.length) return;
    opened.set(others);
    onClose();
  };
  opened.set([...opened.value, { id, title, content, onClose: close }]);
  return close;
}

/** Place of the dialogs that `openDialog` shows. */
export function Dialogs(): ReactNode {
  return useStore(opened).map(({ id, title, content, onClose }) => (
    <Dialog key={id} title={title} onClose={onClose}>
      {content}
    </Dialog>
  ));
}

interface Question {
  readonly title: string;
  /** Names the object and describes the consequences. */
  readonly text: string;
  readonly confirm: string;
}

/** Asks for confirmation before an action with consequences. */
export function ask({ title, text, confirm }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const close = openDialog({
      title,
      onClose: () => {
        resolve(isConfirmed);
      },
      content: (
        <>
          <p>{text}</p>
          <div className="buttons end">
            <button
              type="button"
              className="secondary"
              onClick={() => {
                close();
              }}
            >
              {texts.i18n.t('act.cancel')}
            </button>
            <button
              type="button"
              className="primary risky"
              onClick={() => {
                isConfirmed = true;
                close();
              }}
            >
              {confirm}
            </button>
          </div>
        </>
      ),
    });
  });
}
