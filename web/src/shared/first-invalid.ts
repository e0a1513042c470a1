/** Leads to the first field that something is wrong with, which may be out of sight of the button that sent the form. */
export function focusFirstInvalid(form: HTMLFormElement | null | undefined): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
