import { lazyPart } from '@/components/kits/layout/lazy-part'
import { Boundary } from '@/components/ui/boundary'
import type { RowListProps } from './not-readable'

// Nearly every list is read whole, so what says otherwise is no part of a page's first load.
const RowList = lazyPart(() => import('./not-readable').then((module) => module.RowList))

/** The rows of a list that could not be read, as the last rows of it. Nothing where all were. */
export const UnreadableRows = (props: RowListProps) =>
  props.rows.length === 0 ? null : (
    <Boundary>
      <RowList {...props} />
    </Boundary>
  )

/** `2 of these could not be read`, for the foot of a list; an empty text where all were. */
export const unreadableText = (count: number): string => (count === 0 ? '' : `${count.toLocaleString('en-US')} of these could not be read`)
