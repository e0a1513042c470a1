import { Component, type ReactNode } from 'react';
import { Failed } from './components/failed';

interface Props {
  readonly children: ReactNode;
}

/** Replaces a page that crashed. */
export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Failed /> : this.props.children;
  }
}
