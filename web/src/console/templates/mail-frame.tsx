import { useState, type ReactNode } from 'react';
import { pageNonce } from '../../shared/page-nonce';

/** Height in px until the mail has loaded and is measured. */
const FIRST_HEIGHT = 320;

/**
 * Prepares a mail for the page's content security policy, which blocks style attributes: they become data attributes
 * that a script applies after loading. The service writes attributes in double quotes and without angle brackets, so
 * the regular expression finds the end of each tag.
 */
const prepared = (html: string): string =>
  html
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=\s*"/gi, ' data-style="'))
    .replace(/<style/gi, (tag) => [tag, ` nonce="${pageNonce()}"`].join(''));

function dress(page: Document): void {
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset['style'] ?? '';
  }
  // Links of a preview must not navigate.
  page.addEventListener('click', (event) => {
    event.preventDefault();
  });
}

interface MailFrameProps {
  readonly title: string;
  readonly html: string;
}

/** Renders a mail as mail clients do. The sandbox runs no scripts. */
export function MailFrame({ title, html }: MailFrameProps): ReactNode {
  const [height, setHeight] = useState(FIRST_HEIGHT);
  return (
    <iframe
      className="mail-frame"
      title={title}
      sandbox="allow-same-origin"
      srcDoc={prepared(html)}
      height={height}
      onLoad={({ currentTarget: { contentDocument } }) => {
        if (!contentDocument) return;
        dress(contentDocument);
        setHeight(contentDocument.documentElement.scrollHeight);
      }}
    />
  );
}
