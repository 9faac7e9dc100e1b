import type { ComponentProps } from 'react'
import { TextArea } from '../field'
import { longestAlt } from './words'

// AltText is the field of what a file shows, for people who don't see it.
export function AltText(props: Omit<ComponentProps<typeof TextArea>, 'label'>) {
  return <TextArea label="Alt text" hint="What it shows, for people who can’t see it." maxLength={longestAlt} dir="auto" {...props} />
}
