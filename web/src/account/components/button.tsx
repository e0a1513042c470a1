import type { ReactNode } from 'react';

interface ButtonProps {
  readonly busy?: boolean;
  readonly onClick: () => void | Promise<void>;
  /** Name for screen readers, where the text is not enough. */
  readonly label?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Button beside the content. The button of a form is `Submit`. */
export function Button({ busy = false, onClick, label, className = 'secondary', children }: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={className}
      disabled={busy}
      aria-busy={busy}
      aria-label={label}
      onClick={() => void onClick()}
    >
      {children}
    </button>
  );
}
