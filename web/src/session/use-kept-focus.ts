import { useEffect } from 'react';

const MAX_REMEMBERED = 8;
/** A dialog gives the focus back itself 10 ms after it closes, and a new page focuses its heading. */
const SETTLED_MS = 60;
const DIALOG = '[role="dialog"], dialog';
const FIELDS = 'input, button';

const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body;

const isDisabled = (element: HTMLElement): boolean => element.matches(':disabled');

const canTakeFocus = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('a, button, input, select, textarea, label, summary, [tabindex]') !== null;

/** Remembers which elements had the focus, latest last. */
class FocusHistory {
  private elements: HTMLElement[] = [];

  add(element: HTMLElement): void {
    this.elements = [...this.elements.filter((other) => other !== element), element].slice(-MAX_REMEMBERED);
  }

  clear(): void {
    this.elements = [];
  }

  /**
   * Gives the focus to the latest element that is still on the page, or else to the page's heading. While a dialog is
   * open, the focus stays in it. Waits for an element that is disabled, because its request is running.
   */
  restore(): void {
    if (!isFocusLost() || this.elements.length === 0) return;
    const dialog = [...document.querySelectorAll(DIALOG)].at(-1);
    const left = this.elements.findLast((element) => element.isConnected && (dialog?.contains(element) ?? true));
    if (left && isDisabled(left)) return;
    const fallback = dialog?.querySelector<HTMLElement>(FIELDS) ?? document.querySelector<HTMLElement>('h1');
    (left ?? fallback)?.focus({ preventScroll: true });
  }
}

/**
 * Keeps the keyboard focus on the page (WCAG 2.4.3). A browser drops it when the focused element is removed or disabled,
 * for example after a dialog that deletes a row, or while a button waits for its request.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    const history = new FocusHistory();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restoreSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        history.restore();
      }, SETTLED_MS);
    };
    const onFocus = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement) history.add(target);
    };
    /** The user or the browser moved the focus away from an element that could keep it. */
    const onBlur = ({ target, relatedTarget }: FocusEvent): void => {
      queueMicrotask(() => {
        const couldKeep = target instanceof HTMLElement && target.isConnected && !isDisabled(target);
        if (relatedTarget === null && document.hasFocus() && couldKeep) history.clear();
      });
    };
    const onPress = ({ target }: PointerEvent): void => {
      if (!canTakeFocus(target)) history.clear();
    };
    const changes = new MutationObserver(restoreSoon);
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', onBlur);
    document.addEventListener('pointerdown', onPress);
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', onBlur);
      document.removeEventListener('pointerdown', onPress);
    };
  }, []);
}
