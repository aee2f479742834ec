import { UnreadableRowList, type UnreadableRowListProps } from './not-readable'

export const UnreadableRows = (props: UnreadableRowListProps) =>
  props.rows.length === 0 ? null : <UnreadableRowList {...props} />

export const formatUnreadableCount = (count: number): string =>
  count === 0 ? '' : `${count.toLocaleString('en-US')} of these could not be read`
