import { useId, type KeyboardEvent, type ReactNode } from 'react';

interface TabsProps<T extends string> {
  readonly label: string;
  readonly names: readonly T[];
  readonly chosen: T;
  readonly nameOf: (name: T) => string;
  readonly onChoose: (name: T) => void;
  readonly children: ReactNode;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * Tabs by WAI-ARIA APG. A single one is shown without a tab. The panel stays when others come, so that its inputs keep
 * what was typed.
 */
export function Tabs<T extends string>({ label, names, chosen, nameOf, onChoose, children }: TabsProps<T>): ReactNode {
  const id = useId();
  const isChoice = names.length > 1;
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    const next = step && names[(names.indexOf(chosen) + step + names.length) % names.length];
    if (!next) return;
    event.preventDefault();
    onChoose(next);
    document.getElementById(`${id}${next}`)?.focus();
  };
  return (
    <>
      {isChoice && (
        <div role="tablist" aria-label={label} onKeyDown={move}>
          {names.map((name) => (
            <button
              key={name}
              id={`${id}${name}`}
              type="button"
              role="tab"
              aria-selected={name === chosen}
              aria-controls={`${id}panel`}
              tabIndex={name === chosen ? 0 : -1}
              onClick={() => {
                onChoose(name);
              }}
            >
              {nameOf(name)}
            </button>
          ))}
        </div>
      )}
      <div {...(isChoice && { role: 'tabpanel', id: `${id}panel`, 'aria-labelledby': `${id}${chosen}` })}>
        {children}
      </div>
    </>
  );
}
