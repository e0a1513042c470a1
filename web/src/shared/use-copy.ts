import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

export interface Copying {
  /** `failed` means that the browser does not allow it. The text is then selected for a manual copy. */
  readonly outcome: 'copied' | 'failed' | undefined;
  /**
   * Copies the text.
   *
   * @param select selects the text on the page.
   */
  readonly copy: (text: string, select: () => void) => Promise<void>;
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Fallback without the Clipboard API, which browsers offer in secure contexts only. */
function copyMarked(): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- the only way outside of secure contexts
  return document.execCommand('copy');
}

async function copyText(text: string, select: () => void): Promise<boolean> {
  if (await write(text)) return true;
  const before = document.activeElement;
  select();
  if (!copyMarked()) return false;
  if (before instanceof HTMLElement) before.focus();
  return true;
}

/** Selects the content of an element. */
export function selectContent(element: Element): void {
  getSelection()?.selectAllChildren(element);
}

/** Copies a text in any way that the browser allows, and shows the outcome for a moment. */
export function useCopy(): Copying {
  const [outcome, setOutcome] = useState<Copying['outcome']>();
  useEffect(() => {
    if (outcome !== 'copied') return;
    const timer = setTimeout(setOutcome, SHOWN_MS, undefined);
    return () => {
      clearTimeout(timer);
    };
  }, [outcome]);
  return {
    outcome,
    copy: async (text, select) => {
      setOutcome((await copyText(text, select)) ? 'copied' : 'failed');
    },
  };
}
