import type { ComponentProps } from 'react'

/** Text for a screen reader only. */
export const VisuallyHidden = (props: ComponentProps<'span'>) => <span {...props} className="sr-only" />
