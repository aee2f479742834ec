'use client'

import type { ReactNode } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { cn } from '@/components/ui/cn'
import { getAccountName } from '@/lib/client/page-context'
import type { ListColumn } from './table'

type RowWithCreationTime = { created_at: string | undefined }

export const renderTimeColumnHeader = (word: string): ReactNode => (
  <span>
    {word}, <ZoneName />
  </span>
)

type CreatedColumnOptions<Row> = {
  id?: 'created' | 'age'
  word?: string
  className: string
  /** `moment`: the time alone. `both`: the time and its age. A narrow list shows the age alone. */
  show?: 'moment' | 'both'
  /** For a queue: since when a row waits, and its state ("held 3 d"). Default: the row's age. */
  waits?: { word: string | undefined; since: (row: Row) => string | null | undefined }
}

/** Returns the column of creation times. Every list has this column and can sort by it. */
export const buildCreatedColumn = <Row extends RowWithCreationTime>(
  column: CreatedColumnOptions<Row>,
): ListColumn<Row> => {
  const { id = 'created', word = 'Created', className } = column
  return {
    id,
    sort: 'created_at',
    narrow: 'note',
    header: renderTimeColumnHeader(word),
    cell: createCreatedCell(column),
    className,
  }
}

const createCreatedCell = <Row extends RowWithCreationTime>({
  show = 'moment',
  word = 'Created',
  waits,
}: CreatedColumnOptions<Row>) =>
  function CreatedCell(row: Row) {
    return (
      <>
        <RelativeTime
          at={row.created_at}
          show={waits ? 'moment' : show}
          zone={false}
          className="text-ink-2 @max-[44rem]:hidden"
        />
        {waits?.word ? (
          <span className="block text-ink-3 text-xs @max-[44rem]:inline">
            {waits.word} <RelativeTime at={waits.since(row)} show="length" />
          </span>
        ) : (
          <span
            className={cn('text-ink-3 text-xs @max-[44rem]:inline', waits ? 'block' : 'hidden')}
          >
            <span className="hidden @max-[44rem]:inline">{word.toLowerCase()} </span>
            <RelativeTime at={row.created_at} show="ago" />
          </span>
        )}
      </>
    )
  }

/** Text for cards, which have no column titles. */
export const CardText = ({ children }: { children: string }) => (
  <span className="hidden @max-[44rem]:inline">{children}</span>
)

/** The service's lists omit the account: Paydesk looks it up, and the list then refreshes. */
export function AccountCell({ known }: { known: string | null }) {
  const context = usePageContext()
  if (known === null) return <span className="text-ink-3">not yet known</span>
  return <ExternalText className="text-ink-2">{getAccountName(context, known)}</ExternalText>
}
