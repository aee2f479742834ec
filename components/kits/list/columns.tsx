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

/**
 * The width of the names in a queue. It is fixed, because a claim or a late name would otherwise
 * move the other columns.
 */
export const queueNameClasses = '@min-[44rem]:w-44 @min-[90rem]:w-60'

type BankCellProps = {
  name: string | undefined
  /** Ends with the last four digits. The service masks the others in several ways. */
  account: string | undefined
  className?: string
}

/** Only the bank name is truncated: the last four digits identify the account. */
export function BankCell({ name, account, className = 'text-ink-2' }: BankCellProps) {
  const lastFour = account?.replace(/\D/g, '').slice(-4)
  return (
    <span className={cn('flex gap-1', className)}>
      <ExternalText className="truncate" title={name}>
        {name ?? 'Unknown bank'}
      </ExternalText>
      {lastFour && <span className="shrink-0 tabular-nums">••••{lastFour}</span>}
    </span>
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
