import { useState, type ReactNode } from 'react';
import { pageNonce } from '../../shared/page-nonce';

/** Before it was measured. */
const FIRST_HEIGHT = 320;

/**
 * The frame has the page's content policy, which knows no style attributes: they are set by script when it is there. A
 * mail's attributes stand in double quotes and hold no brackets, so that tags are found by their ends.
 */
const prepared = (html: string): string =>
  html
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle\s*=\s*"/gi, ' data-style="'))
    .replace(/<style/gi, (tag) => [tag, ` nonce="${pageNonce()}"`].join(''));

function dress(page: Document): void {
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset['style'] ?? '';
  }
  // A preview leads nowhere.
  page.addEventListener('click', (event) => {
    event.preventDefault();
  });
}

interface MailFrameProps {
  readonly title: string;
  readonly html: string;
}

/** A mail as mail programs show it. Nothing in it runs. */
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
