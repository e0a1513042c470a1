import { useEffect, useRef, type RefObject } from 'react';

/** Focuses the first invalid field, which may be scrolled out of view. */
export function focusFirstInvalid(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** Focuses the invalid field after each failure of the form, so that screen readers read its error. */
export function useInvalidFocus(failure: string | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure !== undefined) focusFirstInvalid(form.current);
  }, [failure]);
  return form;
}
