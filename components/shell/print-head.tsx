'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNow } from '@/components/kits/layout/clock'
import { useDesk } from '@/components/kits/layout/desk-context'
import { useZone } from '@/components/kits/layout/preferences-context'
import { wholeMomentText } from '@/components/kits/layout/time-text'
import { accountName } from '@/lib/client/desk'
import { recordIn } from './recent-records'

/** What a sheet of paper has to say of itself: where, which account, which record, when and by whom it was printed. Drawn on paper only. */
export function PrintHead() {
  const { environment, account, person, accounts } = useDesk()
  const record = recordIn(usePathname(), useSearchParams())
  const zone = useZone()
  const printed = usePrintedAt()
  return (
    <div className="mb-4 hidden gap-x-6 gap-y-1 border-ink border-b pb-2 text-xs print:grid print:grid-cols-[auto_1fr]">
      <p className="font-semibold text-base">Paydesk · {environment.toUpperCase()}</p>
      <p className="text-right">
        Printed {wholeMomentText(printed, zone)} by <bdi>{person.name}</bdi>
      </p>
      <p>Account: {account ? <bdi>{accountName({ accounts }, account)}</bdi> : 'whole platform'}</p>
      <p className="text-right font-mono">{record?.id}</p>
    </div>
  )
}

/** The moment the print began; until then the clock of the screen. */
function usePrintedAt(): number {
  const now = useNow()
  const [printed, setPrinted] = useState<number | null>(null)
  useEffect(() => {
    // The sheet is laid out right after the event, before a render of its own would come.
    const begin = () => flushSync(() => setPrinted(Date.now()))
    const end = () => setPrinted(null)
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return printed ?? now
}
