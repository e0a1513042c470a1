import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

export interface Copying {
  /** `failed`: the browser allows it in no way; the text is marked for the person to take. */
  readonly outcome: 'copied' | 'failed' | undefined;
  /** Copies what stands in the field. */
  readonly copy: (field: HTMLInputElement) => Promise<void>;
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** As it was done before there was a clipboard for pages, which plain http on another host has not to this day. */
function copyMarked(): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way outside of secure contexts
  return document.execCommand('copy');
}

async function copyFrom(field: HTMLInputElement): Promise<boolean> {
  if (await write(field.value)) return true;
  const before = document.activeElement;
  field.focus();
  field.select();
  if (!copyMarked()) return false;
  if (before instanceof HTMLElement) before.focus();
  return true;
}

/** Copies by whatever way the browser allows, and tells for a moment that it did. */
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
    copy: async (field) => {
      setOutcome((await copyFrom(field)) ? 'copied' : 'failed');
    },
  };
}
