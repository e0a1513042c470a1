import { h } from 'preact';
import React from 'preact/compat';

export * from 'preact/compat';
export default React;

/**
 * React's `Activity`, which Preact lacks and Mantine uses for closed panels. Hidden children stay in the document and
 * keep their state. Unlike in React, their effects also stay.
 */
export function Activity({ mode, children }) {
  return h('div', { style: { display: mode === 'hidden' ? 'none' : 'contents' } }, children);
}

/** React Router uses it if React has it. Preact does not. */
export const useOptimistic = undefined;
