/** Focuses the first invalid field, which may be scrolled out of view. */
export function focusFirstInvalid(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
