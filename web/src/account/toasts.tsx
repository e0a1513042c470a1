import { useLayoutEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../api/problem';
import { READING_MS, sentenceWithFields, type Notify } from '../session/notify';
import { Store, useStore } from './store';

const SUCCESS_MS = 4_000;

interface Toast {
  readonly id: number;
  readonly isError: boolean;
  readonly text: string;
}

let count = 0;
const toasts = new Store<readonly Toast[]>([]);

function hide(toast: Toast): void {
  toasts.set(toasts.value.filter((other) => other !== toast));
}

function show(isError: boolean, text: string): void {
  toasts.set([...toasts.value, { id: (count += 1), isError, text }]);
}

/** Disappears after a time, but not while the pointer or the focus is on it (WCAG 2.2.1). */
function Message({ toast }: { readonly toast: Toast }): ReactNode {
  const { t } = useTranslation();
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isHeld = isPointed || isFocused;
  useLayoutEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(hide, toast.isError ? READING_MS : SUCCESS_MS, toast);
    return () => {
      clearTimeout(timer);
    };
  }, [isHeld, toast]);
  return (
    <div
      role="alert"
      className={`toast ${toast.isError ? 'bad' : 'good'}`}
      onMouseEnter={() => {
        setPointed(true);
      }}
      onMouseLeave={() => {
        setPointed(false);
      }}
      onFocus={() => {
        setFocused(true);
      }}
      onBlur={() => {
        setFocused(false);
      }}
    >
      <p>{toast.text}</p>
      <button
        type="button"
        className="close"
        aria-label={t('act.close')}
        onClick={() => {
          hide(toast);
        }}
      >
        ×
      </button>
    </div>
  );
}

/** Place of the messages about the outcome of actions. */
export function Toasts(): ReactNode {
  return (
    <div className="toasts">
      {useStore(toasts).map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** Shows messages about the outcome of an action. */
export function useNotify(): Notify {
  const { t } = useTranslation();
  const error = (text: string): void => {
    show(true, text);
  };
  return {
    success(text) {
      show(false, text);
    },
    error,
    requestError(problem) {
      error(isProblem(problem) ? sentenceWithFields(problem) : t('form.unreachable'));
    },
    clearErrors() {
      toasts.set(toasts.value.filter(({ isError }) => !isError));
    },
  };
}
