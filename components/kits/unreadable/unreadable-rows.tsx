import { RowList, type RowListProps } from './not-readable'

/** The unreadable rows at the end of a list, or nothing if all could be read. */
export const UnreadableRows = (props: RowListProps) => (props.rows.length === 0 ? null : <RowList {...props} />)

/** Returns `2 of these could not be read`, for the foot of a list; empty if all could be read. */
export const unreadableText = (count: number): string => (count === 0 ? '' : `${count.toLocaleString('en-US')} of these could not be read`)
