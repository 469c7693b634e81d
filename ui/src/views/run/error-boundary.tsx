import { Component, type ReactNode } from "react";

type Props = { readonly fallback: ReactNode; readonly children: ReactNode };

/** What breaks in one panel must not take the page with it. */
export class ErrorBoundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
