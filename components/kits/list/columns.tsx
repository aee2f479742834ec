'use client'

import type { ReactNode } from 'react'
import { OutsideText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { RelativeTime, ZoneName } from '@/components/kits/layout/relative-time'
import { accountName } from '@/lib/client/page-context'
import type { ListColumn } from './table'

type Created = { created_at: string | undefined }

/** Head of a time column: the word and the zone. */
export const inZone = (word: string): ReactNode => (
  <span>
    {word}, <ZoneName />
  </span>
)

type CreatedColumn<Row> = {
  id?: 'created' | 'age'
  word?: string
  className: string
  /** The time alone, or with its age; a narrow list always shows the age alone. */
  show?: 'moment' | 'both'
  /** In a queue: the start of a row's wait, with the word for what began then. If the word is undefined, only the age is shown. */
  waits?: { word: string | undefined; since: (row: Row) => string | null | undefined }
}

/** The column of creation times, which every list has and can sort by. */
export const createdColumn = <Row extends Created>(column: CreatedColumn<Row>): ListColumn<Row> => {
  const { id = 'created', word = 'Created', className } = column
  return { id, sort: 'created_at', narrow: 'note', header: inZone(word), cell: createdCell(column), className }
}

const createdCell = <Row extends Created>({ show = 'moment', waits }: CreatedColumn<Row>) =>
  function CreatedCell(row: Row) {
    return (
      <>
        <RelativeTime at={row.created_at} show={waits ? 'moment' : show} zone={false} className="text-ink-2 @max-[44rem]:hidden" />
        {waits ? (
          <span className="block text-ink-3 text-xs @max-[44rem]:inline">
            {waits.word} <RelativeTime at={waits.word ? waits.since(row) : row.created_at} show="ago" />
          </span>
        ) : (
          <RelativeTime at={row.created_at} show="ago" className="hidden text-ink-3 text-xs @max-[44rem]:inline" />
        )}
      </>
    )
  }

/** The row's account. The service does not return it. An unknown account is looked up in the background, which then refreshes the list. */
export function AccountCell({ known }: { known: string | null }) {
  const context = usePageContext()
  if (known === null) return <span className="text-ink-3">not yet known</span>
  return <OutsideText className="text-ink-2">{accountName(context, known)}</OutsideText>
}
