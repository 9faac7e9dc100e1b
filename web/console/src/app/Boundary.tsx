import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button'
import { Empty, Note } from '../ui/parts'
import { isOutdated, isUnreached, reload } from './outdated'
import { Offline } from './relay'

type Props = { children: ReactNode; place: string; small?: boolean }

// Boundary shows what went wrong in a part of the page, and offers to try again. It
// resets when the place changes. A small one is for a part without which the rest works.
export class Boundary extends Component<Props, { error: Error | null; place: string }> {
  override state = { error: null, place: this.props.place }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  static getDerivedStateFromProps(props: Props, state: { error: Error | null; place: string }) {
    return props.place === state.place ? null : { error: null, place: props.place }
  }

  override render() {
    const { error } = this.state as { error: Error | null }
    if (!error) return this.props.children
    if (isOutdated(error)) {
      return (
        <Empty icon="redo" title="There is a new version" page={!this.props.small} actions={<Button look="primary" onClick={reload.run}>{reload.label}</Button>}>
          This page was opened before the service was updated.
        </Empty>
      )
    }
    const unreached = error instanceof Offline || isUnreached(error)
    const again = isUnreached(error) ? reload.run : () => this.setState({ error: null })
    if (this.props.small) {
      return (
        <Note tone="warn" actions={<Button onClick={again}>Try again</Button>}>
          {unreached ? 'This part couldn’t be loaded: the service can’t be reached.' : error.message}
        </Note>
      )
    }
    return (
      <Empty
        icon="warn"
        page
        title={unreached ? 'The service can’t be reached' : 'This couldn’t be loaded'}
        actions={<Button look="primary" onClick={again}>Try again</Button>}
      >
        {unreached ? 'Check your connection. Nothing that you saved is lost.' : error.message}
      </Empty>
    )
  }
}
