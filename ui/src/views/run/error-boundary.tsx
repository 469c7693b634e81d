import { Component, type ReactNode } from "react";

type Props = {
  readonly fallback: ReactNode;
  readonly children: ReactNode;
  /** Changes come as they happen. */
  readonly isLive: boolean;
};

type State = { readonly isBroken: boolean; readonly wasLive: boolean };

/** What breaks in one panel must not take the page with it. Most often something could not be loaded: it is tried again
 *  when the line is live again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { isBroken: false, wasLive: this.props.isLive };

  static getDerivedStateFromError(): Pick<State, "isBroken"> {
    return { isBroken: true };
  }

  static getDerivedStateFromProps({ isLive }: Props, { isBroken, wasLive }: State): State {
    return { isBroken: isBroken && (!isLive || wasLive), wasLive: isLive };
  }

  override render(): ReactNode {
    return this.state.isBroken ? this.props.fallback : this.props.children;
  }
}
