import { Note } from './parts'

// Problem says what is wrong with a form, and about none of its fields.
export const Problem = ({ of }: { of: readonly string[] }) =>
  of.map((message) => (
    <div key={message} role="alert">
      <Note tone="bad">{message}</Note>
    </div>
  ))
