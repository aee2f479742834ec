import { type RowListProps, UnreadableRowList } from './not-readable'

/** The unreadable rows of a list, shown below its rows. Renders nothing if all could be read. */
export const UnreadableRows = (props: RowListProps) =>
  props.rows.length === 0 ? null : <UnreadableRowList {...props} />

/**
 * Returns `2 of these could not be read`, for the text below a list; empty if all could be read.
 */
export const formatUnreadableCount = (count: number): string =>
  count === 0 ? '' : `${count.toLocaleString('en-US')} of these could not be read`
