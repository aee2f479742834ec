'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { Badge } from '@/components/ui/tone'

const noRowIds: readonly string[] = []
const AwaitingRowsContext = createContext(noRowIds)

/** `ids`: the rows of the page with an action that awaits approval. */
export const AwaitingRowsProvider = ({
  ids,
  children,
}: {
  ids: readonly string[]
  children: ReactNode
}) => <AwaitingRowsContext value={ids}>{children}</AwaitingRowsContext>

export const useAwaitingRowIds = (): readonly string[] => useContext(AwaitingRowsContext)

export const AwaitingApprovalBadge = () => (
  <Badge tone="moving" className="shrink-0">
    Awaiting approval
  </Badge>
)
