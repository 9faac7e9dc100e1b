import { Component, type ReactNode } from 'react'
import { forPeople } from '../core/fault'
import { answers, isMissing, Outdated, reload } from '../core/outdated'
import { connection } from '../core/socket'
import { saving } from '../core/unsaved'
import { Button } from './button'
import { Empty, Note } from './parts'

type Props = { children: ReactNode; place: string; small?: boolean }
type State = { error: Error | null; place: string; outdated: boolean }

// How long it is waited before a part that couldn't be loaded is tried again, in ms.
const pause = 2000

// Boundary shows what went wrong in a part of the page, and offers to try again. A file that the
// service didn't send is tried again by itself. It resets when the place changes. A small one
// is for a part without which the rest works.
export class Boundary extends Component<Props, State> {
  override state: State = { error: null, place: this.props.place, outdated: false }
  private stop = () => {}

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  static getDerivedStateFromProps(props: Props, state: State) {
    return props.place === state.place ? null : { error: null, place: props.place, outdated: false }
  }

  override componentDidUpdate(_: Props, before: State) {
    const { error } = this.state
    if (error === before.error) return
    this.stop()
    this.stop = () => {}
    if (error && isMissing(error)) this.wait(error)
  }

  override componentWillUnmount() {
    this.stop()
  }

  // wait loads the page again once the service has a file that was missed: it isn't asked for anew
  // in a page that is open. A file that the service doesn't have is one of an older build.
  private wait(error: Error) {
    let over = false
    const attempt = async () => {
      const answered = await answers(error)
      if (over) return
      if (answered === 'gone') this.setState({ outdated: true })
      else if (answered === 'there' && !saving()) reload.run()
      else timer = setTimeout(() => void attempt(), pause)
    }
    let timer = setTimeout(() => void attempt(), 0)
    const forget = connection.watch(() => connection.get() === 'connected' && void attempt())
    this.stop = () => {
      over = true
      clearTimeout(timer)
      forget()
    }
  }

  override render() {
    const { error, outdated } = this.state
    if (!error) return this.props.children
    const { small } = this.props
    if (error instanceof Outdated || outdated) {
      return (
        <Empty
          icon="redo"
          title="There is a new version"
          page={!small}
          actions={
            <Button look="primary" onClick={reload.run}>
              {reload.label}
            </Button>
          }
        >
          This page was opened before the service was updated.
        </Empty>
      )
    }
    const unreached = isMissing(error)
    if (small) {
      return (
        <Note tone="warn" actions={<Button onClick={reload.run}>Try again</Button>}>
          {unreached
            ? 'This part couldn’t be loaded: the service can’t be reached. It is tried again by itself.'
            : forPeople(error).message}
        </Note>
      )
    }
    return (
      <Empty
        icon="warn"
        page
        title={unreached ? 'The service can’t be reached' : 'This couldn’t be loaded'}
        actions={
          <Button look="primary" onClick={reload.run}>
            Try again
          </Button>
        }
      >
        {unreached
          ? 'Check your connection. The page goes on by itself once the service answers. Nothing that you saved is lost.'
          : forPeople(error).message}
      </Empty>
    )
  }
}
