import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../api/problem';
import { READING_MS, sentenceWithFields, type Notify } from '../signed-in/notify';
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
  const toast = { id: (count += 1), isError, text };
  toasts.set([...toasts.value, toast]);
  setTimeout(hide, isError ? READING_MS : SUCCESS_MS, toast);
}

/** Place of the messages about the outcome of actions. */
export function Toasts(): ReactNode {
  const { t } = useTranslation();
  const shown = useStore(toasts);
  return (
    <div className="toasts">
      {shown.map((toast) => (
        <div key={toast.id} role="alert" className={`toast ${toast.isError ? 'bad' : 'good'}`}>
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
