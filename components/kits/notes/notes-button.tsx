'use client'

import { useQuery } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Button } from '@/components/ui/button'
import { operationQuery } from '@/lib/client/query/reads'
import type { ResourceWithNotes } from '@/lib/operations/notes'

export type NotedRecord = { resource: ResourceWithNotes; record: string }

/** Fetches the notes of a record, which everyone with a role in its account can read. */
export function useNotes(notedRecord: NotedRecord) {
  return useQuery(
    operationQuery(
      { environment: usePageContext().environment, account: null },
      'notes.list',
      notedRecord,
    ),
  )
}

export function NotesButton({
  noted,
  open,
  onToggle,
}: {
  noted: NotedRecord
  open: boolean
  onToggle: (open: boolean) => void
}) {
  const { data } = useNotes(noted)
  const noteCount = data?.data.filter(({ text }) => text).length
  return (
    <Button
      size="small"
      variant="quiet"
      aria-expanded={open}
      onClick={() => onToggle(!open)}
      className="-my-0.5 print:hidden"
    >
      Notes{noteCount ? ` (${noteCount})` : ''}
    </Button>
  )
}
