import { RowList, type RowListProps } from './not-readable'

/** The rows of a list that could not be read, as the last rows of it. Nothing where all were. */
export const UnreadableRows = (props: RowListProps) => (props.rows.length === 0 ? null : <RowList {...props} />)

/** `2 of these could not be read`, for the foot of a list; an empty text where all were. */
export const unreadableText = (count: number): string => (count === 0 ? '' : `${count.toLocaleString('en-US')} of these could not be read`)
